#include "daemon/machine.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace sluice::daemon {
namespace {

TEST(MemoryAvailable, IsReadFromItsLineInKibibytes) {
  EXPECT_EQ(parse_memory_available("MemTotal:  8000 kB\nMemFree: 1 kB\nMemAvailable:    4096 kB\nBuffers: 2 kB\n"),
            4096u * 1024);
}

TEST(MemoryAvailable, IsAbsentWhereTheLineIsNotWhole) {
  EXPECT_EQ(parse_memory_available(""), std::nullopt);
  EXPECT_EQ(parse_memory_available("MemTotal: 8000 kB\n"), std::nullopt);
  EXPECT_EQ(parse_memory_available("MemAvailable:"), std::nullopt);
  EXPECT_EQ(parse_memory_available("MemAvailable:  none"), std::nullopt);
}

TEST(MemoryAvailable, OfThisMachineIsMoreThanNothing) {
  const Result<uint64_t> bytes = memory_available();
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_GT(*bytes, 1u << 20);
}

TEST(Machine, KnowsItsOwnSize) { EXPECT_GT(own_resident_bytes(), 1u << 20); }

TEST(Machine, FindsExecutablesBesideItsOwn) {
  EXPECT_TRUE(std::filesystem::exists(executable_folder() / "daemon_test")) << executable_folder();
}

TEST(WorkerExecutable, ThatIsMissingIsNamedWithWhatMakesIt) {
  const auto missing = worker_executable("/nowhere", "llamacpp");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message,
            "cannot run /nowhere/sluice-worker-llamacpp (No such file or directory); `make build` makes it");
  EXPECT_EQ(missing.error().field, "--runtime");
}

TEST(ModificationTime, OfAMissingFileIsZero) { EXPECT_EQ(modification_time("/no/such"), 0); }

}  // namespace
}  // namespace sluice::daemon
