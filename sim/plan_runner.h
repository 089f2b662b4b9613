// Carries out plans on the model of the KV, in the machine's time, with what the weather makes of them. Refuses to know
// whether a plan is good. Thread: one at a time per object.
#pragma once

#include <optional>

#include "engine/engine.h"
#include "sim/draws.h"
#include "sim/kv_model.h"
#include "sim/scenario.h"

namespace sluice::sim {

class PlanRunner final {
 public:
  PlanRunner(const Scenario& scenario, const engine::Engine& engine, KvModel& kv, Random random);

  engine::StepResult carry_out(const engine::StepPlan& plan);
  void clear_up() { weather_ = {}; }          // nothing more goes wrong
  void end_fatally() { fatal_next_ = true; }  // in the next call

 private:
  struct Mishap {
    ErrorCode code = ErrorCode::fault;
    Position rows_done = 0;  // of each feed of an aborted call; -1: what its sequences had before is gone, too
    bool drawn = false;      // logits were handed out before: garbage where the row was not kept
    bool hung = false;
  };

  engine::MoveResult carry_out(const engine::KvMove& move);
  std::optional<ErrorCode> failure_of(const engine::KvMove& move);
  void suffer(const engine::KvMove& move);
  engine::CallResult carry_out(const engine::PlannedCall& call);
  std::optional<Mishap> mishap_of(const engine::PlannedCall& call);
  Mishap abort_of(const engine::PlannedCall& call);
  void suffer(const engine::PlannedCall& call, const Mishap& mishap);
  Choice draw(const engine::PlannedFeed& feed, bool garbage);
  uint32_t passes_of(const engine::PlannedCall& call) const;
  Duration time_of(const engine::PlannedCall& call, uint32_t passes, const std::optional<Mishap>& mishap);

  const Scenario& scenario_;
  const engine::Engine& engine_;
  KvModel& kv_;
  Random random_;
  Machine machine_;
  Weather weather_;
  Draws draws_;
  bool fatal_next_ = false;
};

}  // namespace sluice::sim
