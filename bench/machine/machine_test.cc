#include "bench/machine/machine.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "bench/machine/cpu_time.h"
#include "bench/machine/processes.h"

namespace sluice::bench {
namespace {

// A child that burns a given time of processor, and its own child that does.
pid_t start_burner(clock_t ticks, bool through_a_child) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  if (through_a_child) {
    const pid_t inner = start_burner(ticks, false);
    waitpid(inner, nullptr, 0);
    pause();
  }
  while (clock() < ticks) {
  }
  _exit(0);
}

TEST(Processes, AStatLineIsReadPastANameThatHoldsAnything) {
  const auto facts = parse_process_stat(
      "42 (a ) b) (c) S 7 42 42 0 -1 4194560 100 200 0 0 11 22 33 44 20 0 1 0 100 1000 10 18446744073709551615\n");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->parent, 7);
  EXPECT_EQ(facts->ticks, 11u + 22 + 33 + 44);
  EXPECT_FALSE(parse_process_stat(""));
  EXPECT_FALSE(parse_process_stat("42 (sh) S 7"));
}

TEST(Processes, ATreeIsTheRootAndAllBelowIt) {
  ProcessTable table;
  for (const auto& [pid, parent] : {std::pair{10, 1}, {20, 10}, {5, 20}, {30, 2}}) table.processes[pid] = {parent, 1};
  EXPECT_EQ(table.tree_of(10), (std::set<pid_t>{10, 20, 5}));
  EXPECT_EQ(table.ticks_of(table.tree_of(10)), 3u);
}

TEST(Processes, OurOwnTableKnowsUsAndOurMemory) {
  const ProcessTable table = read_processes();
  ASSERT_TRUE(table.processes.contains(getpid()));
  EXPECT_EQ(table.processes.at(getpid()).parent, getppid());
  const uint64_t before = resident_bytes_of({getpid()});
  std::vector<char> touched(64u << 20, 1);
  EXPECT_GE(resident_bytes_of({getpid()}), before + (48u << 20)) << touched.size();
}

TEST(Processes, AListenerIsFoundByItsPort) {
  boost::asio::io_context io;
  using boost::asio::ip::tcp;
  tcp::acceptor acceptor(io, tcp::endpoint(boost::asio::ip::make_address("127.0.0.1"), 0));
  EXPECT_EQ(listener_of(acceptor.local_endpoint().port()), getpid());
  const uint16_t port = acceptor.local_endpoint().port();
  acceptor.close();
  EXPECT_FALSE(listener_of(port));
}

TEST(CpuWatch, TicksOfInterruptsAreNobodys) {
  EXPECT_EQ(parse_busy_ticks("cpu  100 20 30 4000 5 600 700 8 0 0"), 158u);
  EXPECT_FALSE(parse_busy_ticks("cpu0 1 2 3 4 5 6 7 8"));
  EXPECT_FALSE(parse_busy_ticks(""));
}

// Whose time it was does not depend on how long the machine takes for it.
TEST(CpuWatch, AServersTimeIsThatOfItsWholeTree) {
  const pid_t server = start_burner(CLOCKS_PER_SEC / 5, true);
  const CpuWatch watch(server);
  const TimePoint begun = Clock::now();
  CpuShares shares;
  do {
    shares = watch.finish();
  } while (shares.server * to_seconds(Clock::now() - begun) < 0.1 && Clock::now() - begun < std::chrono::seconds(60));
  kill(server, SIGKILL);
  waitpid(server, nullptr, 0);
  EXPECT_GE(shares.server, 0.1 / 60);
  EXPECT_GT(shares.bench, 0);
}

TEST(Machine, SaysWhatItIs) {
  const MachineFacts facts = read_machine();
  EXPECT_FALSE(facts.cpu.empty());
  EXPECT_GE(facts.cores, 1u);
  EXPECT_GT(facts.memory_bytes, 1u << 20);
  EXPECT_GT(measure_read_bandwidth(1), 1e8);
}

}  // namespace
}  // namespace sluice::bench
