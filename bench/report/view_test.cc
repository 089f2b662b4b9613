#include "bench/report/view.h"

#include <gtest/gtest.h>

#include "bench/report/sample_run.h"
#include "bench/report/values.h"

namespace sluice::bench::report {
namespace {

CellResult cell_at(std::string series, std::optional<double> x) {
  CellResult cell;
  cell.cell = "decode";
  cell.series = std::move(series);
  cell.x = x;
  return cell;
}

Summary summary_with(Better better, double low, double ratio, double high) {
  Summary summary;
  summary.row = 1;
  summary.samples = 9;
  summary.better = better;
  summary.ratio_low = low;
  summary.ratio = ratio;
  summary.ratio_high = high;
  return summary;
}

TEST(ReportView, VariantsLieOnAnAxisForEachSeriesByX) {
  RunResult run;
  run.cells = {cell_at("greedy", 8), cell_at("sampled", 2), cell_at("greedy", 1), cell_at("", std::nullopt)};
  const auto families = families_of(run);
  ASSERT_EQ(families.size(), 1u);
  const auto axes = axes_of(families[0]);
  ASSERT_EQ(axes.size(), 2u);
  EXPECT_EQ(axes[0].variants, (Variants{&run.cells[2], &run.cells[0]}));
  EXPECT_EQ(without_axis(families[0]), Variants{&run.cells[3]});
  EXPECT_EQ(heaviest_of(families[0]), (Variants{&run.cells[3], &run.cells[0], &run.cells[1]}));
}

TEST(ReportView, OnlyWhatLiesBeyondTheIntervalIsBetterOrWorse) {
  EXPECT_EQ(verdict_of(summary_with(Better::higher, 1.01, 1.05, 1.1)), Verdict::better);
  EXPECT_EQ(verdict_of(summary_with(Better::higher, 0.99, 1.05, 1.1)), Verdict::same);
  EXPECT_EQ(verdict_of(summary_with(Better::higher, 0.8, 0.9, 0.99)), Verdict::worse);
  EXPECT_EQ(verdict_of(summary_with(Better::lower, 0.8, 0.9, 0.99)), Verdict::better);
  EXPECT_EQ(verdict_of(summary_with(Better::lower, 1.01, 1.05, 1.1)), Verdict::worse);
  EXPECT_EQ(verdict_of(Summary{}), Verdict::none);
  EXPECT_EQ(ratio_words(summary_with(Better::lower, 0.8, 0.9, 0.99)), "▲ 0.90×");
}

TEST(ReportView, TheRepresentativeSampleIsTheMedianOfThoseThatCount) {
  CellResult cell;
  cell.primary = "rate";
  for (const double rate : {9.0, 1.0, 5.0, 4.0}) {
    Sample sample;
    sample.figures["rate"] = rate;
    cell.samples.push_back(sample);
  }
  cell.samples[3].state = SampleState::disturbed;
  const auto any = [](const Sample&) { return true; };
  EXPECT_EQ(representative(cell, 0, any)->figures.at("rate"), 5);
  EXPECT_EQ(
      representative(cell, 0, [](const Sample& sample) { return sample.figures.at("rate") > 5; })->figures.at("rate"),
      9);
  EXPECT_EQ(representative(cell, 0, [](const Sample&) { return false; }), nullptr);
  EXPECT_EQ(representative(cell, 1, any), nullptr);
}

TEST(ReportView, ARowWithoutAValueSaysWhy) {
  RunResult run;
  run.rows.resize(3);
  run.rows[1].state = RowState::died;
  CellResult cell;
  Summary none;
  none.row = 2;
  none.dropped = {{"failed", 1}, {"void", 8}};
  cell.summaries.push_back(none);
  EXPECT_EQ(absence_of(run, cell, 0), "not measured");
  EXPECT_EQ(absence_of(run, cell, 1), "died");
  EXPECT_EQ(absence_of(run, cell, 2), "no sample counts");
  EXPECT_EQ(dropped_text(cell, 2), "1 failed, 8 void");
  EXPECT_EQ(dropped_text(cell, 0), "");
}

TEST(ReportView, AFamilyHasOneUnit) {
  const RunResult run = sample_run();
  for (const auto& family : families_of(run)) {
    if (family.cell == "concurrent") {
      EXPECT_EQ(unit_of(family, "memory_bytes_peak").name, "MiB");
      EXPECT_EQ(common_primary(family), "tokens_per_s");
    }
  }
}

}  // namespace
}  // namespace sluice::bench::report
