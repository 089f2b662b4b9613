#include "telemetry/serving_metrics.h"

#include <gtest/gtest.h>

namespace sluice::telemetry {
namespace {

using namespace std::chrono_literals;

TEST(ServingMetrics, AnEntryCountsOnceAndFillsTheHistogramsItHasTimesFor) {
  Registry registry;
  ServingMetrics metrics(registry);
  AccessEntry entry;
  entry.route = "/v1/completions";
  entry.status = 200;
  entry.total = 2s;
  entry.first_token = 20ms;
  entry.cls = "agent";
  metrics.observe(entry);
  entry.status = 499;
  entry.first_token.reset();
  metrics.observe(entry);
  const std::string text = registry.render();
  for (const auto* line :
       {"sluice_requests_total{route=\"/v1/completions\",status=\"200\"} 1\n",
        "sluice_requests_total{route=\"/v1/completions\",status=\"499\"} 1\n", "sluice_request_seconds_count 2\n",
        "sluice_request_seconds_bucket{le=\"1\"} 0\n", "sluice_request_seconds_bucket{le=\"2.5\"} 2\n",
        "sluice_first_token_seconds_count{class=\"agent\"} 1\n",
        "sluice_first_token_seconds_bucket{class=\"agent\",le=\"0.025\"} 1\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line;
  }
}

TEST(ServingMetrics, ARequestThatALimitRefusesCountsByItsCode) {
  Registry registry;
  ServingMetrics metrics(registry);
  for (const auto& [status, code] : {std::pair{429, "rate_limit_tokens"},
                                     {429, "rate_limit_tokens"},
                                     {503, "queue_full"},
                                     {400, "invalid"},
                                     {200, "worker_lost"}}) {
    AccessEntry entry;
    entry.status = status;
    entry.error_code = code;
    metrics.observe(entry);
  }
  const std::string text = registry.render();
  EXPECT_NE(text.find("sluice_refusals_total{code=\"rate_limit_tokens\"} 2\n"), std::string::npos);
  EXPECT_NE(text.find("sluice_refusals_total{code=\"queue_full\"} 1\n"), std::string::npos);
  EXPECT_EQ(text.find("worker_lost"), std::string::npos);
  EXPECT_EQ(text.find("code=\"invalid\""), std::string::npos);
}

TEST(ServingMetrics, ARequestThatWasTooLateCountsOnceHoweverItEnded) {
  Registry registry;
  ServingMetrics metrics(registry);
  AccessEntry entry;
  entry.cls = "completion";
  metrics.observe(entry);
  EXPECT_EQ(registry.render().find("sluice_deadline_misses_total{"), std::string::npos);
  entry.late = true;
  metrics.observe(entry);
  entry.status = 504;
  entry.error_code = "timed_out";
  metrics.observe(entry);
  EXPECT_EQ(registry.render().find("sluice_refusals_total{"), std::string::npos);
  EXPECT_NE(registry.render().find("sluice_deadline_misses_total{class=\"completion\"} 2\n"), std::string::npos);
}

TEST(ServingMetrics, ARequestThatHasTooLittleTimeIsRefusedAndNotLate) {
  Registry registry;
  ServingMetrics metrics(registry);
  AccessEntry entry;
  entry.cls = "completion";
  entry.status = 504;
  entry.error_code = "timed_out";
  metrics.observe(entry);
  EXPECT_NE(registry.render().find("sluice_refusals_total{code=\"timed_out\"} 1\n"), std::string::npos);
  EXPECT_EQ(registry.render().find("sluice_deadline_misses_total{"), std::string::npos);
}

TEST(ServingMetrics, AHistogramOfClassesHasASeriesForEach) {
  Registry registry;
  ServingMetrics metrics(registry);
  metrics.queue_seconds.with({"agent"}).observe(0.2);
  metrics.queue_seconds.with({"background"}).observe(20);
  metrics.queue_seconds.with({"background"}).observe(40);
  const std::string text = registry.render();
  EXPECT_NE(text.find("sluice_queue_seconds_count{class=\"agent\"} 1\n"), std::string::npos);
  EXPECT_NE(text.find("sluice_queue_seconds_sum{class=\"background\"} 60\n"), std::string::npos);
}

TEST(ServingMetrics, EachMetricHasAHelpAndATypeLineOnce) {
  Registry registry;
  const ServingMetrics metrics(registry);
  const std::string text = registry.render();
  size_t helps = 0;
  for (size_t at = 0; (at = text.find("# HELP sluice_", at)) != std::string::npos; ++at) {
    const size_t name_end = text.find(' ', at + 7);
    const std::string name = text.substr(at + 7, name_end - at - 7);
    EXPECT_NE(text.find("# TYPE " + name + " "), std::string::npos) << name;
    EXPECT_EQ(text.find("# HELP " + name + " ", at + 1), std::string::npos) << name;
    ++helps;
  }
  EXPECT_EQ(helps, 35u);
}

}  // namespace
}  // namespace sluice::telemetry
