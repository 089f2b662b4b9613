// Check: what is let in ends exactly once, for a reason that holds, and after its end nothing is said or computed for
// it. Refuses to know tokens' values. Thread: one at a time per object.
#pragma once

#include "engine/engine.h"
#include "sim/record.h"
#include "sim/scenario.h"
#include "sim/verdict.h"

namespace sluice::sim {

class Lifecycle final {
 public:
  Lifecycle(const Scenario& scenario, Verdict& verdict) : scenario_(scenario), verdict_(verdict) {}

  // Before the record learns of it. `now`: when it was said.
  void said(const Record& record, const engine::GenerationStartedFact& fact);
  void said(const Record& record, const engine::TokenFact& fact);
  void said(const Record& record, const engine::GenerationFinishedFact& fact, TimePoint now);
  void said(const Record& record, const engine::GenerationFailedFact& fact);
  void planned(Book& book, const engine::StepPlan& plan, TimePoint now);
  void over(const Book& book);

 private:
  void must(bool rule, const Record& record, const char* what);
  bool may_finish(const Record& record, FinishReason reason, TimePoint now) const;

  const Scenario& scenario_;
  Verdict& verdict_;
};

}  // namespace sluice::sim
