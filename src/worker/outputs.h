// The output of all live generations: engine facts in, facts for the daemon out. Refuses to know how a generation came
// to its tokens, and the socket. Thread: step.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "engine/engine.h"
#include "worker/events_frame.h"
#include "worker/output_lane.h"

namespace sluice::worker {

class Outputs final {
 public:
  explicit Outputs(const TokenBytes& bytes) : bytes_(bytes) {}

  bool has(GenerationId id) const { return lanes_.contains(id); }
  void open(GenerationId id, OutputLane lane) { lanes_.emplace(id, std::move(lane)); }
  void close(GenerationId id) { lanes_.erase(id); }
  Timings timings_until(TimePoint now, GenerationId id) const;  // none where it is not open

  struct StepTimes {
    TimePoint begun, ended;
  };
  // Applies facts in order and writes what ended into `frame`. Returns the generations whose text found a stop string
  // and which the engine takes to be running still.
  std::vector<GenerationId> apply(std::span<const engine::Fact> facts, const StepTimes& times, EventsFrame& frame);
  // What the running ones said, after all facts of a step.
  void release(EventsFrame& frame);
  void fail_all(const Error& error, EventsFrame& frame);

 private:
  struct Apply;
  const TokenBytes& bytes_;
  std::unordered_map<GenerationId, OutputLane> lanes_;
  std::vector<GenerationId> spoken_;  // have output that is not in a frame
};

}  // namespace sluice::worker
