// Questions that several parts of a page ask of a result. Views stay valid as long as the result does. Refuses to know
// how answers look. Thread: any. Internal to bench/report.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/result/result.h"

namespace sluice::bench::report {

using Variants = std::vector<const CellResult*>;

// The variants of one cell, in the order of the result.
struct Family {
  std::string_view cell;
  Variants variants;
};
std::vector<Family> families_of(const RunResult& run);

// Variants of a family that differ in x alone, by x.
struct Axis {
  std::string_view series;
  Variants variants;
};
std::vector<Axis> axes_of(const Family& family);
Variants without_axis(const Family& family);
// Those with the most load: the last of each axis, and all that lie on none.
Variants heaviest_of(const Family& family);

const Summary* find_summary(const CellResult& cell, uint32_t row, std::string_view figure);
// The first of a row: null where the row has none.
const Summary* first_summary(const CellResult& cell, uint32_t row);
// The figure's summary in some row: what its unit and direction are.
const Summary* any_summary(const CellResult& cell, std::string_view figure);
std::vector<std::string_view> figures_of(const Family& family);
bool has_figure(const Family& family, std::string_view start);

std::vector<const Sample*> counting_samples(const CellResult& cell, uint32_t row);
// Of the counting samples that suit, the one whose primary figure is the median; null where none suits.
const Sample* representative(const CellResult& cell, uint32_t row, const std::function<bool(const Sample&)>& suits);

// How a row compares with the first one: only what lies beyond the interval is better or worse.
enum class Verdict : uint8_t { none, better, worse, same };
Verdict verdict_of(const Summary& summary);
std::string_view mark_of(Verdict verdict);  // "▲ ", "▼ ", "≈ ", ""

// Why a row has no value in a cell: "did not start", "died", "no sample counts", "not measured".
std::string absence_of(const RunResult& run, const CellResult& cell, uint32_t row);
// "did not start, exit code 1"
std::string end_text(const RowFacts& row);
// "2 disturbed, 1 void"; empty where none is dropped
std::string dropped_text(const CellResult& cell, uint32_t row);

}  // namespace sluice::bench::report
