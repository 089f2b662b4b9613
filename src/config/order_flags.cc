#include "config/order_flags.h"

#include "base/limits.h"
#include "config/by_class.h"
#include "config/take.h"

namespace sluice::config {
namespace {

uint32_t milliseconds_of(Duration time) {
  return static_cast<uint32_t>(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

}  // namespace

void declare_order(Flags& flags, LoadOptions& load) {
  const uint32_t chunk_min = milliseconds_of(limits::chunk_time_min),
                 chunk_max = milliseconds_of(limits::chunk_time_max);
  flags.option(
      "--chunk-ms", "N",
      fmt::format("predicted time of a step that reads prompts, which one whose calls take longer exceeds (default {})",
                  milliseconds_of(limits::chunk_time_default)),
      [&load, chunk_min, chunk_max](const std::string& word) -> Result<void> {
        const auto number = number_in<uint32_t>(word, chunk_min, chunk_max, "a number of milliseconds");
        if (!number) return std::unexpected(number.error());
        load.chunk_time = std::chrono::milliseconds(*number);
        return {};
      });
  flags.option("--class-lanes", "CLASS=N,...", "lanes that a class holds at most (default: as many as there are)",
               [&load](const std::string& word) {
                 return by_class(
                     word, {.min = 1, .max = limits::lanes_max, .what = "a number of lanes", .example = "agent=2"},
                     [&load](Class cls, uint32_t lanes) { load.class_lanes[static_cast<size_t>(cls)] = lanes; });
               });
  flags.option("--pace-ms", "CLASS=N,...",
               "time from token to token that a class's answers ask for while prompts are read; 0: none "
               "(default interactive=100,completion=100,agent=200)",
               [&load](const std::string& word) {
                 const ClassNumber pace{.min = 0,
                                        .max = milliseconds_of(limits::pace_max),
                                        .what = "a number of milliseconds",
                                        .example = "agent=100"};
                 return by_class(word, pace, [&load](Class cls, uint32_t ms) {
                   load.pace[static_cast<size_t>(cls)] = std::chrono::milliseconds(ms);
                 });
               });
}

}  // namespace sluice::config
