#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "bench/report/report.h"
#include "bench/report/sample_run.h"

namespace sluice::bench {
namespace {

using report::sample_run;
using ::testing::HasSubstr;

std::string markdown_of(RunResult run) {
  const std::vector<RunResult> runs = {std::move(run)};
  return markdown_report(runs);
}

std::vector<std::string> table_lines(const std::string& page) {
  std::vector<std::string> lines;
  std::istringstream in(page);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("|")) lines.push_back(line);
  }
  return lines;
}

// Bars that no backslash takes out.
size_t columns_of(const std::string& line) {
  size_t bars = 0;
  for (size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
  return bars - 1;
}

TEST(MarkdownReport, EveryLineOfATableHasAColumnForEachServer) {
  const auto lines = table_lines(markdown_of(sample_run()));
  ASSERT_GT(lines.size(), 20u);
  for (const auto& line : lines) EXPECT_EQ(columns_of(line), 6u) << line;
}

TEST(MarkdownReport, ANameCannotAddAColumn) {
  RunResult run = sample_run();
  run.rows[1].name = "a|b";
  run.cells[0].label = "x|y\nz";
  for (const auto& line : table_lines(markdown_of(run))) EXPECT_EQ(columns_of(line), 6u) << line;
}

TEST(MarkdownReport, ShowsMediansIntervalsAndRatios) {
  RunResult run = sample_run();
  run.cells.resize(1);
  run.cells[0].label = "one";
  auto& summaries = run.cells[0].summaries;
  summaries.resize(2);
  summaries[0].median = 117, summaries[0].low = 114, summaries[0].high = 119;
  summaries[1].median = 123, summaries[1].low = 120, summaries[1].high = 126;
  summaries[1].ratio = 1.05, summaries[1].ratio_low = 1.02, summaries[1].ratio_high = 1.08;
  EXPECT_THAT(markdown_of(run),
              HasSubstr("| one | 117 [114, 119] | 123 [120, 126] ▲ 1.05× | not measured | died | did not start |"));
}

TEST(MarkdownReport, NamesWhatFailedAndWhatWasDropped) {
  const std::string page = markdown_of(sample_run());
  EXPECT_THAT(page, HasSubstr("- ollama: did not start, exit code 1\n\n    time="));
  EXPECT_THAT(page, HasSubstr("- mlx-lm: died, signal 9"));
  EXPECT_THAT(page, HasSubstr("- Decode, 1 stream, greedy, llama-server: 1 disturbed"));
}

TEST(MarkdownReport, AnEmptyResultIsShort) {
  EXPECT_THAT(markdown_of({}), HasSubstr("Measured servers, date unknown"));
  EXPECT_THAT(markdown_report({}), HasSubstr("# sluice bench"));
}

}  // namespace
}  // namespace sluice::bench
