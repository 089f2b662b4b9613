// Check: a short newcomer without a class, alone among long work, is answered soon. From its arrival to its first token
// pass
//   its own prefill calls, and in the steps of that time the decode calls and the moves: not bounded here;
//   one piece of each who came before it and starved for so long that it counts as having got nothing, too
//   (src/engine/order.cc: 10 s x the buckets of its service and its prompt), or was stopped and comes back: not
//   bounded here, but counted as `beyond`;
//   everything else (the prompts of others, among them the step it arrived in):
//   at most two prefill parts of a step as long as any so far (one in which it arrives, and one that it shares), and
//   the wait for a lane: ten times what moving a whole window to host memory and back takes.
// Refuses to know why a step was planned. Thread: one at a time per object.
#pragma once

#include <vector>

#include "engine/engine.h"
#include "sim/record.h"
#include "sim/scenario.h"
#include "sim/verdict.h"

namespace sluice::sim {

class Newcomers final {
 public:
  Newcomers(const Scenario& scenario, Verdict& verdict) : scenario_(scenario), verdict_(verdict) {}

  // Before the records learn what they got in it.
  void stepped(const Book& book, const engine::StepPlan& plan, const engine::StepResult& result, TimePoint begun);
  void first_token(const Record& record, TimePoint now);

  // Of the time that is bounded, the largest part of the bound.
  double worst() const { return worst_; }
  uint32_t answered() const { return answered_; }
  uint32_t beyond() const { return beyond_; }  // of these, who waited longer than two prefill parts and for a lane

 private:
  enum class Kind : uint8_t { prompt, moved_up, other };  // other: decode calls and moves
  struct Part {
    GenerationId of;
    TimePoint begun, ended;
    Kind kind = Kind::other;
  };
  void add(GenerationId of, TimePoint& begun, Duration elapsed, Kind kind);
  Kind kind_of(const Book& book, const engine::PlannedCall& call, TimePoint begun) const;
  Duration overlap(const Part& part, const Record& record) const;

  const Scenario& scenario_;
  Verdict& verdict_;
  std::vector<Part> parts_;  // since the last time that no newcomer lived
  Duration longest_prefill_{};
  double worst_ = 0;
  uint32_t answered_ = 0, beyond_ = 0;
};

}  // namespace sluice::sim
