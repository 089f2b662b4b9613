#include "bench/machine/machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <string>
#include <thread>

#include "base/time.h"

namespace sluice::bench {
namespace {

constexpr size_t kBufferBytes = 128u << 20;  // of each core; larger than any last-level cache share
constexpr size_t kAllBuffersBytes = 2u << 30;
constexpr int kPasses = 4;

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

// Independent sums, so that the memory and not the adder is waited for.
uint64_t sum(const std::vector<uint64_t>& words) {
  uint64_t sums[8] = {};
  for (size_t i = 0; i + 8 <= words.size(); i += 8) {
    for (size_t k = 0; k < 8; ++k) sums[k] += words[i + k];
  }
  return std::accumulate(std::begin(sums), std::end(sums), uint64_t{0});
}

}  // namespace

MachineFacts read_machine() {
  utsname names{};
  uname(&names);
  MachineFacts facts;
  facts.cpu = processor_name();
  facts.kernel = std::string(names.release) + " " + names.machine;
  facts.cores = std::max(1u, std::thread::hardware_concurrency());
  facts.memory_bytes = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return facts;
}

double load_of_one_minute() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : 0;
}

double measure_read_bandwidth(uint32_t cores) {
  const size_t bytes = std::min(kBufferBytes, kAllBuffersBytes / cores);
  std::vector<std::vector<uint64_t>> buffers(cores);
  for (auto& buffer : buffers) buffer.assign(bytes / sizeof(uint64_t), 1);
  double best = 0;
  volatile uint64_t kept = 0;  // the sums must not be optimized away
  for (int pass = 0; pass < kPasses; ++pass) {
    const TimePoint begun = Clock::now();
    std::vector<std::jthread> threads;
    std::vector<uint64_t> sums(cores);
    for (uint32_t i = 0; i < cores; ++i) threads.emplace_back([&, i] { sums[i] = sum(buffers[i]); });
    threads.clear();
    kept = kept + std::accumulate(sums.begin(), sums.end(), uint64_t{0});
    best = std::max(best, static_cast<double>(cores * bytes) / to_seconds(Clock::now() - begun));
  }
  return best;
}

}  // namespace sluice::bench
