#include "worker/outputs.h"

#include <algorithm>

namespace sluice::worker {

struct Outputs::Apply {
  Outputs& outputs;
  const StepTimes& times;
  EventsFrame& frame;
  std::vector<GenerationId>& stopped;

  // Facts of a generation that was cancelled between the step and now are nobody's.
  OutputLane* lane(GenerationId id) const {
    const auto found = outputs.lanes_.find(id);
    return found == outputs.lanes_.end() ? nullptr : &found->second;
  }

  void release(GenerationId id, OutputLane& spoken) const {
    if (auto output = spoken.take_output()) frame.add(id, *std::move(output));
  }

  void end(GenerationId id, const proto::GenerationFact& last) const {
    frame.add(id, last);
    outputs.close(id);
    std::erase(stopped, id);
  }

  void operator()(const engine::GenerationStartedFact& fact) const {
    OutputLane* started = lane(fact.generation);
    if (!started) return;
    started->start(times.begun);
    frame.add(fact.generation, Started{fact.cached_tokens});
  }

  void operator()(const engine::TokenFact& fact) const {
    OutputLane* spoken = lane(fact.generation);
    if (!spoken || spoken->stopped()) return;
    spoken->add(fact.choice, fact.is_end_token, outputs.bytes_, times.ended);
    outputs.spoken_.push_back(fact.generation);
    if (spoken->stopped()) stopped.push_back(fact.generation);
  }

  void operator()(const engine::GenerationFinishedFact& fact) const {
    OutputLane* finished = lane(fact.generation);
    if (!finished) return;
    const Finished last = finished->finish(fact.reason, fact.usage);
    release(fact.generation, *finished);
    end(fact.generation, last);
  }

  void operator()(const engine::GenerationFailedFact& fact) const {
    OutputLane* failed = lane(fact.generation);
    if (!failed) return;
    release(fact.generation, *failed);
    end(fact.generation, Failed{fact.error});
  }
};

std::vector<GenerationId> Outputs::apply(std::span<const engine::Fact> facts, const StepTimes& times,
                                         EventsFrame& frame) {
  std::vector<GenerationId> stopped;
  for (const engine::Fact& fact : facts) std::visit(Apply{*this, times, frame, stopped}, fact);
  return stopped;
}

Timings Outputs::timings_until(TimePoint now, GenerationId id) const {
  const auto found = lanes_.find(id);
  return found == lanes_.end() ? Timings{} : found->second.timings_until(now);
}

void Outputs::release(EventsFrame& frame) {
  for (const GenerationId id : spoken_) {
    const auto found = lanes_.find(id);
    if (found == lanes_.end()) continue;
    if (auto output = found->second.take_output()) frame.add(id, *std::move(output));
  }
  spoken_.clear();
}

void Outputs::fail_all(const Error& error, EventsFrame& frame) {
  release(frame);
  for (const auto& [id, lane] : lanes_) frame.add(id, Failed{error});
  lanes_.clear();
}

}  // namespace sluice::worker
