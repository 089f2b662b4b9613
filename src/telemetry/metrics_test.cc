#include "telemetry/metrics.h"

#include <gtest/gtest.h>

namespace sluice::telemetry {
namespace {

TEST(Metrics, AreRenderedWithHelpTypeAndSortedSeries) {
  Registry registry;
  auto& requests = registry.counters("requests_total", "Requests.\nAll \\ of them.", {"route", "status"});
  registry.gauge("lanes", "Lanes.").set(2.5);
  requests.with({"/b", "200"}).add(2);
  requests.with({"/a", "404"}).add();
  EXPECT_EQ(registry.render(),
            "# HELP requests_total Requests.\\nAll \\\\ of them.\n# TYPE requests_total counter\n"
            "requests_total{route=\"/a\",status=\"404\"} 1\nrequests_total{route=\"/b\",status=\"200\"} 2\n"
            "# HELP lanes Lanes.\n# TYPE lanes gauge\nlanes 2.5\n");
}

TEST(Metrics, AMetricWithoutLabelsIsThereFromTheStart) {
  Registry registry;
  registry.counter("deaths_total", "Deaths.");
  EXPECT_NE(registry.render().find("\ndeaths_total 0\n"), std::string::npos);
}

TEST(Metrics, AClearedFamilyHasOnlyWhatIsSetAgain) {
  Registry registry;
  auto& family = registry.gauges("g", "G.", {"l"});
  family.with({"gone"}).set(1);
  family.clear();
  family.with({"here"}).set(2);
  EXPECT_EQ(registry.render(), "# HELP g G.\n# TYPE g gauge\ng{l=\"here\"} 2\n");
}

TEST(Metrics, LabelValuesAreEscaped) {
  Registry registry;
  registry.gauges("g", "G.", {"l"}).with({"a\"b\\c\nd"}).set(1);
  EXPECT_NE(registry.render().find("g{l=\"a\\\"b\\\\c\\nd\"} 1\n"), std::string::npos) << registry.render();
}

TEST(Metrics, AHistogramsBucketsAreCumulativeAndIncludeTheirBound) {
  Registry registry;
  auto& histogram = registry.histogram("h", "H.", {0.5, 1});
  for (const double value : {0.25, 0.5, 0.75, 8.0}) histogram.observe(value);
  EXPECT_EQ(registry.render(),
            "# HELP h H.\n# TYPE h histogram\nh_bucket{le=\"0.5\"} 2\nh_bucket{le=\"1\"} 3\nh_bucket{le=\"+Inf\"} 4\n"
            "h_sum 9.5\nh_count 4\n");
}

TEST(Metrics, ACounterThatFollowsAnotherDoesNotFallWhenThatOneRestarts) {
  Counter counter;
  counter.follow(5);
  counter.follow(9);
  EXPECT_EQ(counter.total(), 9u);
  counter.follow(2);
  EXPECT_EQ(counter.total(), 11u);
  counter.follow(2);
  EXPECT_EQ(counter.total(), 11u);
}

TEST(MetricsDeathTest, ASeriesNeedsAValueForEachLabel) {
  Registry registry;
  auto& family = registry.counters("c", "C.", {"a", "b"});
  EXPECT_DEATH(family.with({"only one"}), "CHECK failed");
}

}  // namespace
}  // namespace sluice::telemetry
