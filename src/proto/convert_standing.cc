// The answer to a Look.
#include "base/limits.h"
#include "proto/convert.h"
#include "proto/wire_time.h"

namespace sluice::proto {
namespace {

Result<void> check_standing(const Standing& message) {
  const auto refuse = [](const char* field, const char* what) {
    return fail(ErrorCode::protocol, std::string("Standing: ") + what, field);
  };
  if (message.generation() == 0) return refuse("generation", "0 names none");
  if (message.doing() > static_cast<uint32_t>(kLastDoing)) return refuse("doing", "is unknown");
  if (message.waits_for() > static_cast<uint32_t>(kLastWaitsFor)) return refuse("waits_for", "is unknown");
  if (message.has_sequence() && message.sequence() >= limits::sequences_max) return refuse("sequence", "there is none");
  if (message.parked_tokens() > message.computed_tokens()) return refuse("parked_tokens", "more than were computed");
  return {};
}

Result<sluice::Standing> standing_of(const Standing& message) {
  if (auto checked = check_standing(message); !checked) return std::unexpected(std::move(checked.error()));
  const auto starved = duration_of(message.starved_us(), "standing.starved_us");
  if (!starved) return std::unexpected(starved.error());
  const auto timings = timings_of(message, "standing");
  if (!timings) return std::unexpected(timings.error());
  sluice::Standing standing;
  standing.generation = GenerationId{message.generation()};
  standing.doing = static_cast<Doing>(message.doing());
  standing.waits_for = static_cast<WaitsFor>(message.waits_for());
  standing.ahead = message.ahead();
  if (message.has_sequence()) standing.sequence = SequenceId{static_cast<int32_t>(message.sequence())};
  standing.computed = message.computed_tokens();
  standing.parked = message.parked_tokens();
  standing.cached = message.cached_tokens();
  standing.starved = *starved;
  standing.timings = *timings;
  return standing;
}

}  // namespace

Standing to_message(const sluice::Standing& standing) {
  Standing message;
  message.set_generation(standing.generation.raw);
  message.set_doing(static_cast<uint32_t>(standing.doing));
  message.set_waits_for(static_cast<uint32_t>(standing.waits_for));
  message.set_ahead(standing.ahead);
  if (standing.sequence) message.set_sequence(static_cast<uint32_t>(standing.sequence->raw));
  message.set_computed_tokens(standing.computed);
  message.set_parked_tokens(standing.parked);
  message.set_cached_tokens(standing.cached);
  message.set_starved_us(us_of(standing.starved));
  set_timings(standing.timings, message);
  return message;
}

Result<std::vector<sluice::Standing>> standings_of(const Standings& standings) {
  std::vector<sluice::Standing> out;
  for (const Standing& message : standings.standings()) {
    auto standing = standing_of(message);
    if (!standing) return std::unexpected(std::move(standing.error()));
    out.push_back(*std::move(standing));
  }
  return out;
}

}  // namespace sluice::proto
