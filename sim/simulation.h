// One run: the real engine behind the real gate, the clients and the machine of a scenario, a clock that advances by
// what steps take, and all checks. A function of the scenario alone. Refuses to know how seeds are chosen and how
// results are shown. Thread: one at a time per object.
#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <variant>

#include "engine/engine.h"
#include "sim/answers.h"
#include "sim/chunk.h"
#include "sim/clients.h"
#include "sim/fairness.h"
#include "sim/gate.h"
#include "sim/lifecycle.h"
#include "sim/newcomers.h"
#include "sim/plan_runner.h"
#include "sim/trace.h"
#include "sim/waits.h"
#include "sim/work.h"

namespace sluice::sim {

struct Figures {
  uint64_t steps = 0, generations = 0, finished = 0, failed = 0, left = 0, refused = 0;
  uint64_t rows = 0, rows_again = 0, rows_existed = 0;
  Duration busy{}, moves{};  // moves: their part of it
  uint64_t preemptions = 0, exports = 0, imports = 0, copies = 0;
  Waits::PerClass longest_wait{};
  uint64_t newcomers = 0, newcomers_beyond = 0;
  double newcomers_worst = 0, fairness_worst = 0;  // part of the bound
};

class Simulation final {
 public:
  Simulation(const Scenario& scenario, std::ostream* trace);

  // Runs until everything has ended, or `steps_max` steps, or a check fails.
  std::optional<Failing> run(uint64_t steps_max);
  const Figures& figures() const { return figures_; }

 private:
  struct LeaveEvent {
    GenerationId generation;
  };
  struct AckEvent {
    uint64_t step = 0;
  };
  struct FatalEvent {};
  using Event = std::variant<Wake, LeaveEvent, AckEvent, FatalEvent>;

  void at(TimePoint when, Event event) { events_.emplace(when, event); }
  void deliver();
  void happen(const Wake& wake);
  void happen(const LeaveEvent& leave);
  void happen(const AckEvent& ack);
  void happen(const FatalEvent& fatal);
  void submit(size_t client, Ask ask, TimePoint asked);
  void refused(size_t client, const Ask& ask, const std::string& why);

  bool step();  // false: nothing is left to happen
  bool pass_time();
  void carry_out(const engine::StepPlan& plan);
  void observe(const engine::StepPlan& plan);
  void place(Record& record, const engine::Holding* holding);
  void charge(const engine::StepPlan& plan, const engine::StepResult& result);
  void count(const engine::StepPlan& plan);
  void check_host_memory();
  void acknowledge(uint64_t step);

  void listen();
  void hear(const engine::GenerationStartedFact& fact);
  void hear(const engine::TokenFact& fact);
  void hear(const engine::GenerationFinishedFact& fact);
  void hear(const engine::GenerationFailedFact& fact);
  void find_stops();
  void end(Record& record, Ending ending);
  void over();

  const Scenario& scenario_;
  Random random_;
  Verdict verdict_;
  engine::Engine engine_;
  KvModel kv_;
  PlanRunner runner_;
  Clients clients_;
  Gate gate_;
  Book book_;
  Trace trace_;

  Answers answers_;
  Lifecycle lifecycle_;
  Work work_;
  Waits waits_;
  Newcomers newcomers_;
  Fairness fairness_;

  TimePoint now_, last_ack_;
  std::multimap<TimePoint, Event> events_;
  uint64_t planned_ = 0, acknowledged_ = 0;
  Figures figures_;
};

}  // namespace sluice::sim
