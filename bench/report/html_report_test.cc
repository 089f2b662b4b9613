#include <gmock/gmock.h>

#include <limits>
#include <string_view>
#include <vector>

#include "bench/report/report.h"
#include "bench/report/sample_run.h"

namespace sluice::bench {
namespace {

using report::sample_run;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string page_of(RunResult run) {
  const std::vector<RunResult> runs = {std::move(run)};
  return html_report(runs);
}

// What stands between < and >.
std::vector<std::string_view> tags_of(const std::string& page) {
  std::vector<std::string_view> tags;
  for (size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    tags.push_back(std::string_view(page).substr(at + 1, page.find('>', at) - at - 1));
  }
  return tags;
}

std::string_view name_of_tag(std::string_view tag) { return tag.substr(0, tag.find_first_of(" /", 1)); }

void expect_balanced(const std::string& page) {
  std::vector<std::string_view> open;
  for (const auto tag : tags_of(page)) {
    const std::string_view name = name_of_tag(tag);
    if (name == "!doctype" || name == "meta" || tag.ends_with('/')) continue;
    if (!name.starts_with('/')) {
      open.push_back(name);
      continue;
    }
    ASSERT_FALSE(open.empty()) << name;
    ASSERT_EQ(open.back(), name.substr(1));
    open.pop_back();
  }
  EXPECT_TRUE(open.empty());
}

TEST(HtmlReport, HasEveryPart) {
  const std::string page = page_of(sample_run());
  for (const auto* part : {"Summary", "Servers that failed", "Cell by cell", "First token", "Memory over time",
                           "Arrival of chunks", "Processor use", "Share of the memory-bandwidth limit", "Agreement",
                           "Samples that do not count", "Servers", "What the figures mean"}) {
    EXPECT_THAT(page, HasSubstr(std::string("<h2>") + part + "</h2>"));
  }
}

TEST(HtmlReport, SaysWhatWasMeasuredOnWhatAndHow) {
  EXPECT_THAT(page_of(sample_run()),
              AllOf(HasSubstr("smollm2-135m-instruct-q4_k_m.gguf"), HasSubstr("AMD EPYC 7B13, 2 cores, 8.00"),
                    HasSubstr("2025-11-29 21:00 UTC"), HasSubstr("sluice bench decode depth prefill"),
                    HasSubstr("8 lanes of 4096 tokens of context each")));
}

TEST(HtmlReport, AServerThatDidNotStartOrDiedIsInEveryTableAndWithItsLastWords) {
  const std::string page = page_of(sample_run());
  EXPECT_THAT(page, HasSubstr("did not start, exit code 1"));
  EXPECT_THAT(page, HasSubstr("no runner for &lt;cpu_avx2&gt;"));
  EXPECT_THAT(page, HasSubstr("died, signal 9"));
  EXPECT_THAT(page, HasSubstr("<span class=\"missing\">did not start</span>"));
}

TEST(HtmlReport, NeedsNothingFromElsewhereAndNoScript) {
  const std::string page = page_of(sample_run());
  for (const auto tag : tags_of(page)) {
    EXPECT_EQ(tag.find(" src="), std::string_view::npos) << tag;
    const size_t link = tag.find(" href=\"");
    EXPECT_TRUE(link == std::string_view::npos || tag[link + 7] == '#') << tag;
  }
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<script")), Not(HasSubstr("url(")), Not(HasSubstr("@import")),
                          Not(HasSubstr("http://")), Not(HasSubstr("https://"))));
}

TEST(HtmlReport, ForeignTextIsNeverMarkup) {
  const std::string evil = "\"><script>alert('x')</script><img src=x onerror=y>\xFF\x01";
  RunResult run = sample_run();
  for (auto* text : {&run.build, &run.machine.cpu, &run.machine.kernel, &run.model.path, &run.settings.mode})
    *text = evil;
  run.command = {evil};
  for (auto& row : run.rows) {
    row.name = row.kind = row.url = row.model_id = row.version = row.start_line = row.system_info = row.stderr_tail =
        evil;
    row.argv = row.environment = {evil};
  }
  for (auto& cell : run.cells) {
    cell.label = cell.series = cell.x_name = evil;
    for (auto& sample : cell.samples) {
      sample.reasons = {evil};
      for (auto& request : sample.requests) request.label = request.finish_reason = evil, request.faults = {evil};
    }
    for (auto& summary : cell.summaries) summary.unit = evil, summary.dropped = {{evil, 1}};
  }
  for (auto& one : run.agreement) one.label = evil;
  run.cells[0].cell = run.cells[0].primary = run.cells[0].summaries[0].figure = evil;
  const std::string page = page_of(run);
  EXPECT_THAT(page,
              AllOf(Not(HasSubstr("<script")), Not(HasSubstr("<img")), Not(HasSubstr("\xFF")), Not(HasSubstr("\x01"))));
  expect_balanced(page);
}

TEST(HtmlReport, TagsCloseInOrder) { expect_balanced(page_of(sample_run())); }

TEST(HtmlReport, StaysSmall) { EXPECT_LT(page_of(sample_run()).size(), 1u << 20); }

TEST(HtmlReport, CoordinatesAreFinite) {
  RunResult run = sample_run();
  const double bad = std::numeric_limits<double>::quiet_NaN();
  run.cells[0].x = run.cells[1].summaries[0].median = run.cells[2].summaries[0].low = bad;
  run.cells.back().samples[5].memory[0].first = bad;
  size_t drawn = 0;
  const std::string page = page_of(run);
  for (const auto tag : tags_of(page)) {
    const std::string_view name = name_of_tag(tag);
    if (name != "path" && name != "rect" && name != "text") continue;
    ++drawn;
    EXPECT_THAT(std::string(tag), AllOf(Not(HasSubstr("nan")), Not(HasSubstr("inf")))) << tag;
  }
  EXPECT_GT(drawn, 500u);
}

TEST(HtmlReport, MissingDataLeavesPartsOut) {
  EXPECT_THAT(page_of({}), AllOf(HasSubstr("Measured servers"), Not(HasSubstr("<h2>Memory"))));
  EXPECT_THAT(html_report({}), HasSubstr("There is no result to show."));

  RunResult run = sample_run();
  run.machine = {};
  run.model = {};
  run.agreement.clear();
  for (auto& cell : run.cells) {
    for (auto& sample : cell.samples) sample.requests.clear(), sample.memory.clear(), sample.figures.clear();
  }
  expect_balanced(page_of(run));
  for (auto& cell : run.cells) cell.samples.clear();
  expect_balanced(page_of(run));
  for (auto& cell : run.cells) cell.summaries.clear(), cell.x.reset();
  expect_balanced(page_of(run));
  run.rows.clear();
  expect_balanced(page_of(run));
}

TEST(HtmlReport, BetterAndWorseAreSaidInMoreThanColour) {
  const std::string page = page_of(sample_run());
  EXPECT_THAT(page, AllOf(HasSubstr("ratio worse\" title=\"worse: ["), HasSubstr(">▼ ")));
}

TEST(HtmlReport, FiguresAreExplainedAndUnknownOnesShown) {
  RunResult run = sample_run();
  Summary odd = run.cells[0].summaries[0];
  odd.figure = "warp_factor";
  run.cells[0].summaries.push_back(odd);
  EXPECT_THAT(page_of(run),
              AllOf(HasSubstr("<th class=\"code\">warp_factor</th>"), HasSubstr("Completion tokens of all streams")));
}

TEST(HtmlReport, SeveralResultsStandOneAfterAnother) {
  const std::vector<RunResult> runs = {sample_run(), sample_run()};
  const std::string page = html_report(runs);
  EXPECT_THAT(page, AllOf(HasSubstr("id=\"run1-summary\""), HasSubstr("id=\"run2-summary\"")));
  expect_balanced(page);
}

}  // namespace
}  // namespace sluice::bench
