// The worker's main loop: letters in, the engine's plan carried out, one frame a step out. It is the shell around the
// engine: the clock lives here. It sleeps on the inbox when there is nothing to do. Refuses to know how a plan is made
// and how a frame travels. Thread: step.
#pragma once

#include <optional>

#include "worker/executor.h"
#include "worker/link.h"
#include "worker/outputs.h"

namespace sluice::worker {

class StepLoop final {
 public:
  StepLoop(Link& link, Runtime& runtime, const TokenBytes& bytes, engine::EngineConfig config);

  // Until the worker is to end; returns its exit code. `first` came before the engine could take it.
  int run(std::vector<Letter> first);

 private:
  Result<void> apply(std::vector<Letter> letters);
  Result<void> apply(proto::Submission submission);
  Result<void> apply(const CancelLetter& cancel);
  Result<void> apply(const AckLetter& ack);
  Result<void> apply(const DrainLetter& drain);
  Result<void> apply(const LookLetter& look);
  Result<void> apply(const LoadOptions& second_load);
  void refuse(GenerationId id, Error error);

  std::optional<int> run_step(const engine::StepPlan& plan);
  void take_facts(const Outputs::StepTimes& times);
  void send_frame(uint64_t step, Duration elapsed);
  void send_standings(uint64_t number, TimePoint now);
  void add_costs(proto::Events& events);
  int end(const Ending& ending) const;
  int end_after_flush(int exit_code);

  Link& link_;
  engine::Engine engine_;
  Executor executor_;
  Outputs outputs_;
  EventsFrame frame_;
  bool lanes_changed_ = false;    // by a Cancel, since the last frame
  std::optional<uint64_t> look_;  // the last one that is not answered
  uint64_t last_step_ = 0;
  Costs costs_said_;
  TimePoint costs_said_at_;
  bool draining_ = false;
};

}  // namespace sluice::worker
