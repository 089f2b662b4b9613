// The frame that one step (or one batch of letters) makes: facts of many generations, in order, one event each.
// Refuses to know what the facts are about. Thread: step.
#pragma once

#include <optional>
#include <unordered_map>

#include "proto/convert.h"

namespace sluice::worker {

class EventsFrame final {
 public:
  void add(GenerationId id, const proto::GenerationFact& fact);
  bool empty() const { return message_.events().events().empty(); }
  proto::FromWorker& message() { return message_; }
  proto::Events& events() { return *message_.mutable_events(); }
  void clear();  // keeps its memory

 private:
  proto::FromWorker message_;
  std::unordered_map<GenerationId, int> index_;  // into message_.events().events()
};

}  // namespace sluice::worker
