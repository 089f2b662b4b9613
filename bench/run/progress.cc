#include "bench/run/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sluice::bench {
namespace {

constexpr size_t kWidth = 20;

std::string words_for(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 5400) return fmt::format("{:.0f} min", std::ceil(seconds / 60));
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

std::string progress_line(uint64_t done, uint64_t all, Duration spent, const std::string& what) {
  const double share = all == 0 ? 1 : std::min(1.0, static_cast<double>(done) / static_cast<double>(all));
  const auto filled = static_cast<size_t>(share * kWidth);
  std::string line = fmt::format("[{}{}] {:3.0f} %  {}", std::string(filled, '#'), std::string(kWidth - filled, '-'),
                                 100 * share, what);
  if (done > 0) line += " · " + words_for(to_seconds(spent) * (1 / share - 1)) + " left";
  return line;
}

Progress::Progress(uint64_t all) : all_(all), begun_(Clock::now()), terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (terminal_) std::fputs("\r\033[K", stderr);
}

void Progress::on(const std::string& what) {
  const std::string line = progress_line(done_, all_, Clock::now() - begun_, what);
  fmt::print(stderr, "{}{}{}", terminal_ ? "\r\033[K" : "", line, terminal_ ? "" : "\n");
}

void Progress::say(const std::string& line) { fmt::print(stderr, "{}{}\n", terminal_ ? "\r\033[K" : "", line); }

}  // namespace sluice::bench
