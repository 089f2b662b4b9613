#include "bench/run/judge.h"

#include <gmock/gmock.h>

#include "bench/run/agreement.h"
#include "bench/run/request_facts.h"

namespace sluice::bench {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Asked> with_faults(std::vector<std::vector<Fault>> faults) {
  std::vector<Asked> asked(faults.size());
  for (size_t i = 0; i < faults.size(); ++i) {
    asked[i].answer.faults = faults[i];
    asked[i].answer.trouble = faults[i].empty() ? "" : "why";
  }
  return asked;
}

SampleState state(std::vector<std::vector<Fault>> faults, Circumstances circumstances = {}) {
  return judge(with_faults(std::move(faults)), circumstances).state;
}

TEST(Judge, TheGravestFaultCounts) {
  EXPECT_EQ(state({{}, {}}), SampleState::ok);
  EXPECT_EQ(state({{Fault::no_usage}, {Fault::no_done}}), SampleState::ok) << "they are only named";
  EXPECT_EQ(state({{}, {Fault::wrong_token_count}}), SampleState::voided);
  EXPECT_EQ(state({{Fault::from_cache}, {Fault::reset}}), SampleState::failed);
  EXPECT_EQ(state({{Fault::reset}, {Fault::from_cache}}), SampleState::failed);
}

TEST(Judge, OthersOnTheMachineDisturb) {
  EXPECT_EQ(state({{}}, {.others_cpu = 0.16, .others_max = 0.15}), SampleState::disturbed);
  EXPECT_EQ(state({{}}, {.others_cpu = 0.15, .others_max = 0.15}), SampleState::ok);
  EXPECT_EQ(state({{Fault::from_cache}}, {.others_cpu = 1, .others_max = 0.15}), SampleState::voided);
}

TEST(Judge, ACellMayObjectAndMayMeanItsFailures) {
  EXPECT_EQ(state({{}}, {.objections = {"it serves one model"}}), SampleState::voided);
  EXPECT_EQ(state({{Fault::refused}}, {.best_effort = true}), SampleState::ok);
}

TEST(Judge, ReasonsCountAnswersAndQuoteOne) {
  const auto verdict = judge(with_faults({{Fault::refused}, {Fault::refused}, {}}), {});
  EXPECT_THAT(verdict.reasons, ElementsAre("2 x refused: why"));
}

Answer said(std::vector<std::string> parts) {
  Answer answer;
  for (size_t i = 0; i < parts.size(); ++i) {
    answer.pieces.push_back({TimePoint{1s + 10ms * i}, static_cast<uint32_t>(parts[i].size())});
    answer.text += parts[i];
  }
  return answer;
}

TEST(Agreement, TheFirstDifferenceIsThePartWhereTextsPart) {
  EXPECT_FALSE(first_difference(said({"a", "bc"}), said({"ab", "c"}))) << "how it was cut does not matter";
  EXPECT_EQ(first_difference(said({"a", "b", "c"}), said({"a", "b", "x"})), 2u);
  EXPECT_FALSE(first_difference(said({"a", "b"}), said({"a", "b", "c"}))) << "equal as far as both go";
  EXPECT_EQ(first_difference(said({}), said({"a"})), 0u);
}

TEST(Agreement, RowsAreComparedWithTheFirstAndWithThemselves) {
  const Replies same{{said({"a"}), said({"b"})}, {said({"a"}), said({"b"})}};
  const Replies other{{said({"a"}), said({"x"})}, {said({"q"}), said({"x"})}};
  const auto found = agreements_of({same, other, {}});
  ASSERT_EQ(found.size(), 3u) << "a row that failed is compared with nobody";
  EXPECT_EQ(found[0].equal, 2u);
  EXPECT_FALSE(found[0].first_difference);
  EXPECT_EQ(found[1].other, 0u);
  EXPECT_EQ(found[1].equal, 1u);
  EXPECT_EQ(found[1].first_difference, 0);
  EXPECT_EQ(found[2].other, 1u);
  EXPECT_EQ(found[2].equal, 1u);
}

TEST(RequestFacts, TimesAreFromTheSamplesStart) {
  Asked asked;
  asked.ask.label = "agent";
  asked.answer = said({"a", "bc"});
  asked.answer.sent = TimePoint{900ms};
  asked.answer.ended = TimePoint{2s};
  asked.answer.faults = {Fault::no_done};
  const RequestFacts facts = facts_of(asked, TimePoint{500ms});
  EXPECT_EQ(facts.sent_ms, 400);
  EXPECT_EQ(facts.first_ms, 500);
  EXPECT_EQ(facts.last_ms, 510);
  EXPECT_EQ(facts.done_ms, 1500);
  EXPECT_THAT(facts.arrivals_us, ElementsAre(100'000, 10'000));
  EXPECT_THAT(facts.sizes, ElementsAre(1, 2));
  EXPECT_THAT(facts.faults, ElementsAre("no [DONE]"));
  EXPECT_EQ(facts.text_hash, text_hash("abc"));
  EXPECT_NE(text_hash("abc"), text_hash("abd"));
}

}  // namespace
}  // namespace sluice::bench
