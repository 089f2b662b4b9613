// Predicts how long a call will take, and learns from how long calls took. Time is taken to be linear in the passes of
// a call, its rows, and its rows times the depth they attend to; each sample moves the three coefficients by a part of
// its error, in proportion to their share in it. What another model learned is where it may start; it counts as a few
// samples only, as the machine may have changed. Refuses to know what is in the calls. Thread: step.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/time.h"
#include "core/costs.h"
#include "engine/plan.h"

namespace sluice::engine {

struct CallShape {
  uint32_t rows = 0;
  uint32_t passes = 0;
  uint32_t depth = 0;  // tokens that the deepest row attends to
};

// A decode call is one pass for each run of consecutive ids where only those share a pass; else one.
CallShape shape_of(const PlannedCall& call, bool adjacent_ids_per_pass);

// Coefficients are of scaled terms (below), in microseconds.
class LinearCost final {
 public:
  // `pass_in_rows`: how many rows a pass is worth before the samples tell.
  LinearCost(double pass_in_rows, double first_guess_us_per_row, const CallCosts& kept);

  double predict_us(const CallShape& shape) const;
  void learn(const CallShape& shape, double elapsed_us);
  CallCosts learned() const;
  double pass_us() const { return coefficients_[0] * pass_in_rows_; }
  uint32_t samples() const { return samples_; }

 private:
  std::array<double, 3> terms(const CallShape& shape) const;
  double pass_in_rows_;
  std::array<double, 3> coefficients_;
  uint32_t samples_ = 0;
};

// Of something that costs about the same each time.
class MeanCost final {
 public:
  MeanCost(double first_guess_us, const UnitCost& kept);

  double us() const { return us_; }
  void learn(double elapsed_us);
  UnitCost learned() const;
  uint32_t samples() const { return samples_; }

 private:
  double us_;
  uint32_t samples_;
};

// Of a prompt, as it was measured, not as it is predicted: the costs that fit small calls say nothing of large ones
// where a call is dear beside its rows.
class FastestRow final {
 public:
  void learn(const CallShape& shape, double elapsed_us);
  // No row was faster; absent until several calls had as many rows as half of `rows`. A call that is larger takes no
  // less time than those: in one of up to `rows`, a row takes half of this at least.
  std::optional<double> us(uint32_t rows) const;

 private:
  std::array<uint32_t, 4> largest_{};  // rows of the calls that had the most
  double us_ = std::numeric_limits<double>::infinity();
};

class CostModel final {
 public:
  // `row_time`: how long a prompt's row is known to take, about; 0: not known. `kept`: learned before, of the same
  // model on the same machine, and possible.
  explicit CostModel(Duration row_time = {}, const Costs& kept = {});

  Duration predict(CallKind kind, const CallShape& shape) const;
  void learn(CallKind kind, const CallShape& shape, Duration elapsed);
  void learn_copy(Duration elapsed);
  void learn_export(Position tokens, Duration elapsed);
  void learn_import(Position tokens, Duration elapsed);

  // Rows of a prefill call that starts at depth `first`, `rows_max` at most, which are predicted to take no longer than
  // `time`; may be 0. Never more than twice the rows any call has had: a prediction far outside the samples is a guess.
  uint32_t prefill_rows_within(Duration time, uint32_t first, uint32_t rows_max) const;

  Duration prefill_call() const;  // what one costs beside its rows
  Duration extra_pass() const;    // of a decode call; 0 until one has been seen
  Duration copy() const;          // of one sequence to another
  Duration row() const;           // of a prompt, among many and not deep
  // The fastest that was measured by this model, whatever was kept: in calls of `rows_max` at most, which are predicted
  // to take no longer than `time`, a row takes half of it at least. Absent until calls of about that size were
  // measured.
  std::optional<Duration> fastest_row(Duration time, uint32_t rows_max) const;
  Duration export_of(Position tokens) const;
  Duration import_of(Position tokens) const;

  Costs learned() const;  // is possible: what is not, counts as not learned

 private:
  uint32_t rows_within(Duration time, uint32_t first, uint32_t rows_max) const;

  LinearCost prefill_;
  LinearCost decode_;
  uint32_t prefill_rows_seen_;  // of one call, at most
  FastestRow fastest_row_;
  MeanCost copy_, export_token_, import_token_;
};

}  // namespace sluice::engine
