// Core values to and from their messages. A message with a value outside its type's range is a protocol error, so
// that nothing behind this line needs to check again. Refuses to know who sends. Thread: any.
#pragma once

#include <variant>
#include <vector>

#include "core/core.h"
#include "core/costs.h"
#include "core/standing.h"
#include "proto/sluice.pb.h"

namespace sluice::proto {

Failure to_message(const Error& error);
Error from_message(const Failure& failure);  // an unknown code becomes `protocol`

Submit to_message(GenerationId id, const GenerationSpec& spec);
struct Submission {
  GenerationId id;
  GenerationSpec spec;
};
Result<Submission> from_message(const Submit& submit);

Costs to_message(const sluice::Costs& costs);
Result<sluice::Costs> from_message(const Costs& message);

// One GenerationEvent carries several facts; they come out in their order.
using GenerationFact =
    std::variant<sluice::Accepted, sluice::Started, sluice::Output, sluice::Finished, sluice::Failed>;
void append(const GenerationFact& fact, GenerationEvent& event);  // event.generation is the caller's to set
Result<std::vector<GenerationFact>> facts_of(const GenerationEvent& event);

Standing to_message(const sluice::Standing& standing);
Result<std::vector<sluice::Standing>> standings_of(const Standings& standings);

}  // namespace sluice::proto
