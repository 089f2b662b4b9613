#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <regex>
#include <set>

#include "bench/report/bar_chart.h"
#include "bench/report/raster.h"
#include "bench/report/scale.h"
#include "bench/report/spread.h"
#include "bench/report/strip_chart.h"
#include "bench/report/svg.h"
#include "bench/report/xy_chart.h"

namespace sluice::bench::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

size_t count_of(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(ReportScale, MarksAreRoundAndCoverTheValues) {
  EXPECT_THAT(Scale::from_zero(3, 47, 0, 100).marks(), ElementsAre(0, 10, 20, 30, 40, 50));
  EXPECT_THAT(Scale::from_zero(-3, 7, 0, 100, 4).marks(), ElementsAre(-5, 0, 5, 10));
  EXPECT_THAT(Scale::up_to(12, 0, 100, 5).marks(), ElementsAre(0, 5, 10));
  EXPECT_THAT(Scale::logarithmic(1, 16, 0, 100).marks(), ElementsAre(1, 2, 5, 10));
}

TEST(ReportScale, PutsValuesBetweenItsEnds) {
  const Scale up = Scale::from_zero(0, 50, 200, 100);
  EXPECT_DOUBLE_EQ(up.at(0), 200);
  EXPECT_DOUBLE_EQ(up.at(50), 100);
  const Scale doublings = Scale::logarithmic(1, 16, 0, 100);
  EXPECT_NEAR(doublings.at(4), 50, 1e-9);
}

TEST(ReportScale, WorksWithoutASpan) {
  for (const double only : {0.0, 5.0, -5.0, 1e-12, 1e300}) {
    const Scale scale = Scale::from_zero(only, only, 0, 100);
    EXPECT_TRUE(std::isfinite(scale.at(only))) << only;
    EXPECT_GE(scale.marks().size(), 2u) << only;
    EXPECT_LE(scale.marks().size(), 12u) << only;
  }
  EXPECT_TRUE(std::isfinite(Scale::logarithmic(3, 3, 0, 1).at(3)));
}

TEST(ReportScale, MarkTextsHaveTheDecimalsOfTheirStep) {
  EXPECT_EQ(mark_text(Scale::from_zero(0, 1, 0, 1), 0.2), "0.2");
  EXPECT_EQ(mark_text(Scale::from_zero(0, 0.1, 0, 1), 0.02), "0.02");
  EXPECT_EQ(mark_text(Scale::from_zero(0, 500, 0, 1), 100), "100");
}

TEST(ReportSvg, CoordinatesAreAlwaysFinite) {
  Svg svg(100, 100, "x");
  svg.line("l", {kNan, kInfinity}, {-kInfinity, 1e300});
  svg.box("b", {0, kNan}, kInfinity, -3);
  svg.text("t", {-0.04, 1.25}, "x");
  const std::string out = svg.end();
  EXPECT_THAT(out, Not(::testing::ContainsRegex("nan|inf|e\\+")));
  EXPECT_THAT(out, HasSubstr("x=\"0\" y=\"1.3\""));
}

TEST(ReportSvg, TextAndTipsAreEscaped) {
  Svg svg(10, 10, "\"><script>");
  svg.text("t", {1, 1}, "<b>");
  svg.marker(0, {1, 1}, "</title>");
  EXPECT_THAT(svg.end(),
              ::testing::AllOf(Not(HasSubstr("<script>")), Not(HasSubstr("<b>")), Not(HasSubstr("</title></title>"))));
}

TEST(ReportSvg, RowsDifferInColourOrMarker) {
  std::set<std::string> seen;
  for (uint32_t row = 0; row < 40; ++row) seen.insert(row_class(row) + marker_of(row, {0, 0}, 4).text());
  EXPECT_EQ(seen.size(), 40u);
}

TEST(ReportSpread, LabelsStandApartAroundTheirPlaceAndWithinBounds) {
  EXPECT_THAT(spread({10, 50}, 14, 0, 100), ElementsAre(10, 50));
  EXPECT_THAT(spread({50, 50, 50}, 14, 0, 100), ElementsAre(36, 50, 64));
  EXPECT_THAT(spread({0, 0}, 14, 0, 100), ElementsAre(0, 14));
  EXPECT_THAT(spread({100, 100}, 14, 0, 100), ElementsAre(86, 100));
  EXPECT_THAT(spread({40, 45, 60}, 14, 0, 100),
              ElementsAre(::testing::DoubleNear(34.33, 0.01), ::testing::DoubleNear(48.33, 0.01),
                          ::testing::DoubleNear(62.33, 0.01)));
  EXPECT_THAT(spread({}, 14, 0, 100), IsEmpty());
}

XyChart chart_of(std::vector<XyLine> lines) {
  return {.label = "chart",
          .x_name = "streams",
          .x_unit = "",
          .y_unit = "tok/s",
          .measured_at_points = true,
          .lines = std::move(lines)};
}

TEST(ReportXyChart, NamesEveryLineThatHasPointsAndMarksEachLevel) {
  const std::string out =
      draw(chart_of({{0, "one", {{1, 10, 9, 11, "tip one"}, {16, 20, {}, {}, ""}}}, {1, "none", {}}}));
  EXPECT_THAT(out, ::testing::AllOf(HasSubstr(">one</text>"), Not(HasSubstr(">none</text>")), HasSubstr(">16</text>"),
                                    HasSubstr("<title>tip one</title>"), HasSubstr("whisker")));
}

TEST(ReportXyChart, LabelsOfLinesThatEndTogetherStandApart) {
  const std::string out = draw(
      chart_of({{0, "a", {{1, 10, {}, {}, ""}}}, {1, "b", {{1, 10, {}, {}, ""}}}, {2, "c", {{1, 10, {}, {}, ""}}}}));
  const std::regex label("name\" x=\"[0-9.]+\" y=\"([0-9.]+)\"");
  std::vector<double> ys;
  for (std::sregex_iterator at(out.begin(), out.end(), label), end; at != end; ++at) ys.push_back(std::stod((*at)[1]));
  ASSERT_EQ(ys.size(), 3u);
  EXPECT_GE(ys[1] - ys[0], 13);
  EXPECT_GE(ys[2] - ys[1], 13);
}

TEST(ReportXyChart, IsEmptyWithoutAPointThatCanBeDrawn) {
  EXPECT_THAT(draw(chart_of({})), IsEmpty());
  EXPECT_THAT(draw(chart_of({{0, "a", {{kNan, 1, {}, {}, ""}, {1, kInfinity, {}, {}, ""}}}})), IsEmpty());
}

TEST(ReportXyChart, ValuesOfVeryDifferentSizeGetALogarithmicAxisThatSaysSo) {
  EXPECT_THAT(draw(chart_of({{0, "a", {{1, 1, {}, {}, ""}, {2, 900, {}, {}, ""}}}})), HasSubstr("logarithmic"));
}

TEST(ReportBarChart, ARowWithoutAValueStaysInThePicture) {
  const std::string out = draw_bars("x", {{0, "one", 5, 4, 6, "5 [4, 6]"}, {1, "two", {}, {}, {}, "did not start"}});
  EXPECT_THAT(out, ::testing::AllOf(HasSubstr("did not start"), HasSubstr(">two<"), HasSubstr("5 [4, 6]")));
  EXPECT_EQ(count_of(out, " bar\""), 1u);
}

TEST(ReportStripChart, ShowsQuantilesAndThinsDots) {
  Strip strip{0, "one", {}, ""};
  for (int i = 0; i <= 1000; ++i) strip.values.push_back(i);
  const std::string out = draw_strips("x", "ms", {strip, {1, "two", {}, "died"}});
  EXPECT_THAT(out, ::testing::AllOf(HasSubstr("500 · 900 · 990 ms"), HasSubstr(">died<")));
  EXPECT_LE(count_of(out, "h0"), 200u);
  EXPECT_THAT(draw_strips("x", "ms", {{1, "two", {kNan}, "died"}}), IsEmpty());
}

TEST(ReportRaster, TicksAreBounded) {
  Raster raster{.row = 0, .name = "one", .words = "", .streams = {}, .with_names = false};
  RasterStream stream{"chat", 0, 5, 100000, {}};
  for (int i = 0; i < 50000; ++i) stream.ticks_ms.push_back(i * 2);
  raster.streams.assign(64, stream);
  const std::string out = draw_raster("x", raster, 100000);
  EXPECT_LT(out.size(), 100000u);
  EXPECT_GT(raster_stride(raster), 100u);
  EXPECT_EQ(count_of(out, " ticks\""), kRasterStreamsMax);
}

TEST(ReportRaster, AStreamThatNeverSpokeIsDrawnAsWaiting) {
  Raster raster{.row = 0, .name = "one", .words = "", .streams = {{"chat", 0, 50, 50, {}}}, .with_names = true};
  const std::string out = draw_raster("x", raster, 50);
  EXPECT_THAT(out, ::testing::AllOf(HasSubstr("waiting"), Not(HasSubstr(" ticks\""))));
}

}  // namespace
}  // namespace sluice::bench::report
