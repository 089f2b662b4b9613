#include "engine/cost_model.h"

#include <algorithm>

#include "base/check.h"
#include "engine/adjacency.h"

namespace sluice::engine {
namespace {

// Guesses until the first sample, where nothing was measured at load: slow enough that the first chunk is small on any
// machine.
constexpr double kPrefillUsPerRow = 3500;
constexpr double kDecodeUsPerRow = 5000;
constexpr double kPrefillPassInRows = 16;
constexpr double kDecodePassInRows = 4;
constexpr double kCopyInPasses = 8;
constexpr double kMoveUsPerToken = 5;

constexpr uint32_t kFirstRows = 64;
constexpr uint32_t kRowsGrowth = 2;
constexpr double kDepthUnit = 1024;    // tokens of depth at which attention is taken to cost as much as the rest
constexpr double kLearningRate = 0.2;  // the part of a sample's error that is corrected
constexpr double kOutlier = 4;         // a sample counts as at most this many times its prediction: the machine hiccups
constexpr uint32_t kShallowInRows =
    2;  // a call's depth, as a multiple of its rows: it began no deeper than it has rows
constexpr uint32_t kTrustedSamples = 4;
constexpr uint32_t kKeptSamples = 2;  // what was kept counts as: the first samples correct it far, and are not cut
static_assert(kKeptSamples < kTrustedSamples);

double to_us(Duration d) { return std::chrono::duration<double, std::micro>(d).count(); }

double known_or(Duration row_time, double guess_us) { return row_time > Duration{} ? to_us(row_time) : guess_us; }

double learning_rate(uint32_t samples) { return std::max(kLearningRate, 1.0 / (samples + 1)); }

double without_outlier(double sample, double predicted, uint32_t samples) {
  return samples < kTrustedSamples ? sample : std::min(sample, kOutlier * predicted);
}

}  // namespace

CallShape shape_of(const PlannedCall& call, bool adjacent_ids_per_pass) {
  CallShape shape;
  IdSet ids;
  for (const PlannedFeed& feed : call.feeds) {
    const auto rows = static_cast<uint32_t>(feed.tokens.size());
    shape.rows += rows;
    shape.depth = std::max(shape.depth, static_cast<uint32_t>(feed.first) + rows);
    ids = with(ids, feed.seq);
  }
  shape.passes = adjacent_ids_per_pass ? runs_of(ids) : 1;
  return shape;
}

LinearCost::LinearCost(double pass_in_rows, double first_guess_us_per_row, const CallCosts& kept)
    : pass_in_rows_(pass_in_rows),
      coefficients_{first_guess_us_per_row / pass_in_rows, first_guess_us_per_row, 0},
      samples_(std::min(kept.samples, kKeptSamples)) {
  CHECK(is_possible(kept));
  if (samples_ > 0) coefficients_ = {kept.pass_us / pass_in_rows, kept.row_us, kept.deep_row_us};
}

CallCosts LinearCost::learned() const {
  const CallCosts costs{pass_us(), coefficients_[1], coefficients_[2], samples_};
  return samples_ > 0 && is_possible(costs) ? costs : CallCosts{};
}

std::array<double, 3> LinearCost::terms(const CallShape& shape) const {
  const double rows = shape.rows;
  return {pass_in_rows_ * shape.passes, rows, rows * shape.depth / kDepthUnit};
}

double LinearCost::predict_us(const CallShape& shape) const {
  const auto x = terms(shape);
  return x[0] * coefficients_[0] + x[1] * coefficients_[1] + x[2] * coefficients_[2];
}

void LinearCost::learn(const CallShape& shape, double elapsed_us) {
  if (samples_ == 0) coefficients_ = {};  // the guess says nothing about this machine
  const auto x = terms(shape);
  const double predicted = predict_us(shape);
  const double error = without_outlier(elapsed_us, predicted, samples_) - predicted;
  const double norm = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
  CHECK(norm > 0);
  for (size_t i = 0; i < x.size(); ++i) {
    coefficients_[i] = std::max(0.0, coefficients_[i] + learning_rate(samples_) * error * x[i] / norm);
  }
  ++samples_;
}

MeanCost::MeanCost(double first_guess_us, const UnitCost& kept)
    : us_(kept.samples > 0 ? kept.us : first_guess_us), samples_(std::min(kept.samples, kKeptSamples)) {
  CHECK(is_possible(kept));
}

void MeanCost::learn(double elapsed_us) {
  const double sample = without_outlier(elapsed_us, us_, samples_);
  us_ = samples_ == 0 ? sample : us_ + learning_rate(samples_) * (sample - us_);
  ++samples_;
}

UnitCost MeanCost::learned() const {
  const UnitCost cost{us_, samples_};
  return samples_ > 0 && is_possible(cost) ? cost : UnitCost{};
}

// What is read at a depth takes longer for that. Of the fastest it does not matter; but calls that were all deep do not
// tell how fast a row may be.
void FastestRow::learn(const CallShape& shape, double elapsed_us) {
  us_ = std::min(us_, elapsed_us / shape.rows);
  if (shape.depth > kShallowInRows * shape.rows) return;
  const auto smallest = std::ranges::min_element(largest_);
  *smallest = std::max(*smallest, shape.rows);
}

std::optional<double> FastestRow::us(uint32_t rows) const {
  return 2 * uint64_t{std::ranges::min(largest_)} >= rows ? std::optional(us_) : std::nullopt;
}

CostModel::CostModel(Duration row_time, const Costs& kept)
    : prefill_(kPrefillPassInRows, known_or(row_time, kPrefillUsPerRow), kept.prefill),
      decode_(kDecodePassInRows, known_or(row_time, kDecodeUsPerRow), kept.decode),
      prefill_rows_seen_(kept.prefill_rows),
      copy_(0, kept.copy),
      export_token_(kMoveUsPerToken, kept.export_token),
      import_token_(kMoveUsPerToken, kept.import_token) {}

Duration CostModel::predict(CallKind kind, const CallShape& shape) const {
  switch (kind) {
    case CallKind::decode: return from_us(decode_.predict_us(shape));
    case CallKind::prefill: return from_us(prefill_.predict_us(shape));
  }
  UNREACHABLE();
}

void CostModel::learn(CallKind kind, const CallShape& shape, Duration elapsed) {
  switch (kind) {
    case CallKind::decode: decode_.learn(shape, to_us(elapsed)); return;
    case CallKind::prefill:
      prefill_.learn(shape, to_us(elapsed));
      fastest_row_.learn(shape, to_us(elapsed));
      prefill_rows_seen_ = std::max(prefill_rows_seen_, shape.rows);
      return;
  }
  UNREACHABLE();
}

void CostModel::learn_copy(Duration elapsed) { copy_.learn(to_us(elapsed)); }

void CostModel::learn_export(Position tokens, Duration elapsed) {
  CHECK(tokens > 0);
  export_token_.learn(to_us(elapsed) / tokens);
}

void CostModel::learn_import(Position tokens, Duration elapsed) {
  CHECK(tokens > 0);
  import_token_.learn(to_us(elapsed) / tokens);
}

Duration CostModel::export_of(Position tokens) const { return from_us(export_token_.us() * tokens); }
Duration CostModel::import_of(Position tokens) const { return from_us(import_token_.us() * tokens); }

Duration CostModel::row() const { return predict(CallKind::prefill, {kFirstRows, 1, kFirstRows}) / kFirstRows; }

std::optional<Duration> CostModel::fastest_row(Duration time, uint32_t rows_max) const {
  const std::optional<double> us = fastest_row_.us(std::max(1u, rows_within(time, 0, rows_max)));
  return us ? std::optional(from_us(*us)) : std::nullopt;
}

Duration CostModel::prefill_call() const { return from_us(prefill_.pass_us()); }

uint32_t CostModel::prefill_rows_within(Duration time, uint32_t first, uint32_t rows_max) const {
  return rows_within(time, first, std::min(rows_max, std::max(kFirstRows, kRowsGrowth * prefill_rows_seen_)));
}

uint32_t CostModel::rows_within(Duration time, uint32_t first, uint32_t rows_max) const {
  uint32_t fit = 0;
  uint32_t over = rows_max + 1;
  while (over - fit > 1) {  // rows that fit, and rows that do not
    const uint32_t rows = fit + (over - fit) / 2;
    const bool fits = predict(CallKind::prefill, {rows, 1, first + rows}) <= time;
    (fits ? fit : over) = rows;
  }
  return fit;
}

Duration CostModel::extra_pass() const { return decode_.samples() == 0 ? Duration{} : from_us(decode_.pass_us()); }

Duration CostModel::copy() const {
  return from_us(copy_.samples() == 0 ? kCopyInPasses * decode_.pass_us() : copy_.us());
}

Costs CostModel::learned() const {
  return {.prefill = prefill_.learned(),
          .decode = decode_.learned(),
          .prefill_rows = prefill_rows_seen_,
          .copy = copy_.learned(),
          .export_token = export_token_.learned(),
          .import_token = import_token_.learned()};
}

}  // namespace sluice::engine
