#include "config/queue_flags.h"

#include "config/by_class.h"
#include "config/take.h"

namespace sluice::config {
namespace {

constexpr const char* kNumber = "a number of answers";

Result<void> add_class_bounds(const std::string& words, QueueLimits& queue) {
  return by_class(words, {.min = 0, .max = limits::live_generations_max, .what = kNumber, .example = "agent=100"},
                  [&queue](Class cls, uint32_t bound) { queue.by_class[static_cast<size_t>(cls)] = bound; });
}

}  // namespace

void declare_queue(Flags& flags, QueueLimits& queue, std::optional<uint32_t>& key_queue) {
  constexpr auto time_max = std::chrono::milliseconds(limits::queue_time_max).count();
  flags.option(
      "--queue-max", "N",
      fmt::format("answers that wait or run at most; more are refused (default {})", limits::live_generations_max),
      number_into<uint32_t>(queue.total, 1, limits::live_generations_max, kNumber));
  flags.repeated("--class-queue", "CLASS=N[,...]", "of these, answers of one class (default: all)",
                 [&queue](const std::string& word) { return add_class_bounds(word, queue); });
  flags.option("--key-queue", "N", "of these, answers of one API key (default: half of them where there are two keys)",
               number_into<uint32_t>(key_queue, 1, limits::live_generations_max, kNumber));
  flags.option("--queue-time-ms", "N",
               fmt::format("an answer that has not begun after this time is refused (default {})",
                           std::chrono::milliseconds(limits::queue_time_default).count()),
               converted_into(queue.time, [](const std::string& word) -> Result<std::chrono::milliseconds> {
                 const auto ms = number_in<int64_t>(word, 1, time_max, "a time in ms");
                 if (!ms) return std::unexpected(ms.error());
                 return std::chrono::milliseconds(*ms);
               }));
}

}  // namespace sluice::config
