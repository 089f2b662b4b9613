// A run for a person to read: a line a step with a column for each lane, and what happened in between. Refuses to know
// what is right. Thread: one at a time per object.
//
//   time ms, step's ms, then of each lane: generation, first letter of its class, and
//   p ROWS (prompt), d (an answer's row), < TOKENS (from host memory), > TOKENS (to host memory), = it stands.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "sim/record.h"

namespace sluice::sim {

class Trace final {
 public:
  explicit Trace(std::ostream* out) : out_(out) {}  // null: nobody reads

  bool on() const { return out_ != nullptr; }
  void event(TimePoint now, const std::string& what);
  void event(TimePoint now, const Record& record, const std::string& what);
  void step(const Book& book, const engine::StepPlan& plan, const engine::StepResult& result, uint32_t lanes,
            TimePoint begun, TimePoint ended);
  void say(const std::string& text);

 private:
  std::ostream* out_;
};

}  // namespace sluice::sim
