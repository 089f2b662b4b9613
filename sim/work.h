// Check: no row is computed twice. A position that a generation has had computed is computed again only after something
// destroyed it; a newcomer takes over what a sequence that nobody holds has of its prompt. The named exceptions: the
// last rows of a prompt that is cached as a whole (two, so that none is computed alone), or that an abort left alone.
// Refuses to know why rows are computed. Thread: one at a time per object.
#pragma once

#include <vector>

#include "engine/engine.h"
#include "sim/kv_model.h"
#include "sim/record.h"
#include "sim/scenario.h"
#include "sim/verdict.h"

namespace sluice::sim {

class Work final {
 public:
  Work(const Scenario& scenario, const KvModel& kv, Verdict& verdict)
      : scenario_(scenario), kv_(kv), verdict_(verdict) {}

  // After the plan was made, before it is carried out: who started takes over what is there.
  void planned(Book& book);
  void stepped(Book& book, const engine::StepPlan& plan, const engine::StepResult& result);

  uint64_t rows() const { return rows_; }
  uint64_t rows_again() const { return rows_again_; }      // after something destroyed them
  uint64_t rows_existed() const { return rows_existed_; }  // computed by newcomers while a copy was in some sequence

 private:
  struct Reached {
    Position upto = 0;  // computed, and not destroyed
    Position most = 0;  // ever computed
    bool has_begun = false;
  };

  Reached& of(GenerationId id);
  void check_start(Book& book, const Record& newcomer);
  Position usable(SequenceId seq, const Record& newcomer) const;
  Position common(SequenceId seq, const Record& newcomer) const;
  void computed(const Record& record, const engine::PlannedFeed& feed, Position after);
  void destroyed_by_moves(Book& book, const engine::StepPlan& plan, size_t first_failed);

  const Scenario& scenario_;
  const KvModel& kv_;
  Verdict& verdict_;
  std::vector<Reached> reached_;  // by id, from 1
  uint64_t rows_ = 0, rows_again_ = 0, rows_existed_ = 0;
};

}  // namespace sluice::sim
