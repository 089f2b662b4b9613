// Check: a generation's tokens are those it gets alone, whatever ran beside it, stopped it and started it again.
// Computes each answer a second time, row by row from the prompt on. Refuses to know how the engine came to its tokens.
// Thread: one at a time per object.
#pragma once

#include <vector>

#include "sim/draws.h"
#include "sim/kv_model.h"
#include "sim/record.h"
#include "sim/scenario.h"
#include "sim/verdict.h"

namespace sluice::sim {

class Answers final {
 public:
  Answers(const Scenario& scenario, Verdict& verdict)
      : config_(scenario.config), maker_(scenario.width_matters), draws_(config_.vocabulary), verdict_(verdict) {}

  void accepted(const Record& record);
  void told(const Record& record, Token token);

 private:
  struct Alone {
    uint64_t state = kStateOfNoRows;
    std::vector<Token> known;
  };

  const engine::EngineConfig& config_;
  RowMaker maker_;
  Draws draws_;
  Verdict& verdict_;
  std::vector<Alone> alone_;  // by id, from 1
};

}  // namespace sluice::sim
