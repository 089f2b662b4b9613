#include "worker/events_frame.h"

namespace sluice::worker {

void EventsFrame::add(GenerationId id, const proto::GenerationFact& fact) {
  const auto [found, is_first] = index_.try_emplace(id, events().events_size());
  if (is_first) events().add_events()->set_generation(id.raw);
  proto::append(fact, *events().mutable_events(found->second));
}

void EventsFrame::clear() {
  events().Clear();
  index_.clear();
}

}  // namespace sluice::worker
