#include "config/order_flags.h"

#include "base/limits.h"
#include "config/take.h"
#include "core/core.h"

namespace sluice::config {
namespace {

// "background=2,agent=6": `set` is given each class and its number.
template <class Set>
Result<void> by_class(std::string_view words, uint32_t min, uint32_t max, const char* what, Set set) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(','));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    const size_t equals = word.find('=');
    const auto cls = find_class(word.substr(0, equals));
    if (equals == std::string_view::npos || !cls) {
      return fail(ErrorCode::invalid, fmt::format("'{}' is not possible: CLASS=N, where CLASS is one of "
                                                  "interactive, completion, agent, background",
                                                  word));
    }
    const auto number = number_in<uint32_t>(std::string(word.substr(equals + 1)), min, max, what);
    if (!number) return std::unexpected(number.error());
    set(static_cast<size_t>(*cls), *number);
  }
  return {};
}

uint32_t milliseconds_of(Duration time) {
  return static_cast<uint32_t>(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

}  // namespace

void declare_order(Flags& flags, LoadOptions& load) {
  const uint32_t chunk_min = milliseconds_of(limits::chunk_time_min),
                 chunk_max = milliseconds_of(limits::chunk_time_max);
  flags.option("--chunk-ms", "N",
               fmt::format("predicted time of the prompts' part of a step, at most (default {})",
                           milliseconds_of(limits::chunk_time_default)),
               [&load, chunk_min, chunk_max](const std::string& word) -> Result<void> {
                 const auto number = number_in<uint32_t>(word, chunk_min, chunk_max, "a number of milliseconds");
                 if (!number) return std::unexpected(number.error());
                 load.chunk_time = std::chrono::milliseconds(*number);
                 return {};
               });
  flags.option("--class-lanes", "CLASS=N,...", "lanes that a class holds at most (default: as many as there are)",
               [&load](const std::string& word) {
                 return by_class(word, 1, limits::lanes_max, "a number of lanes",
                                 [&load](size_t cls, uint32_t lanes) { load.class_lanes[cls] = lanes; });
               });
  flags.option("--pace-ms", "CLASS=N,...",
               "time from token to token that a class's answers ask for while prompts are read; 0: none "
               "(default interactive=100,completion=100)",
               [&load](const std::string& word) {
                 return by_class(word, 0, milliseconds_of(limits::pace_max), "a number of milliseconds",
                                 [&load](size_t cls, uint32_t ms) { load.pace[cls] = std::chrono::milliseconds(ms); });
               });
}

}  // namespace sluice::config
