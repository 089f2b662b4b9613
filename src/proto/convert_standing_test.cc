#include <gtest/gtest.h>

#include <limits>

#include "base/limits.h"
#include "proto/convert.h"

namespace sluice::proto {
namespace {

using namespace std::chrono_literals;

sluice::Standing full_standing() {
  sluice::Standing standing;
  standing.generation = GenerationId{7};
  standing.doing = Doing::preempted;
  standing.waits_for = WaitsFor::room;
  standing.ahead = 3;
  standing.sequence = SequenceId{5};
  standing.computed = 900;
  standing.parked = 800;
  standing.cached = 40;
  standing.starved = 1500us;
  standing.timings = {2ms, 3s, 4h};
  return standing;
}

Standings answer_of(const std::vector<Standing>& messages) {
  Standings answer;
  for (const Standing& message : messages) *answer.add_standings() = message;
  return answer;
}

TEST(Standings, EveryFieldRoundTrips) {
  const sluice::Standing sent = full_standing();
  Standings received;
  ASSERT_TRUE(
      received.ParseFromString(answer_of({to_message(sent), to_message(sluice::Standing{})}).SerializeAsString()));
  received.mutable_standings(1)->set_generation(8);
  const auto told = standings_of(received);
  ASSERT_TRUE(told) << told.error().message;
  ASSERT_EQ(told->size(), 2u);
  EXPECT_EQ(told->at(0).generation, sent.generation);
  EXPECT_EQ(told->at(0).doing, sent.doing);
  EXPECT_EQ(told->at(0).waits_for, sent.waits_for);
  EXPECT_EQ(told->at(0).ahead, sent.ahead);
  EXPECT_EQ(told->at(0).sequence, sent.sequence);
  EXPECT_EQ(told->at(0).computed, sent.computed);
  EXPECT_EQ(told->at(0).parked, sent.parked);
  EXPECT_EQ(told->at(0).cached, sent.cached);
  EXPECT_EQ(told->at(0).starved, sent.starved);
  EXPECT_EQ(told->at(0).timings.queued, sent.timings.queued);
  EXPECT_EQ(told->at(0).timings.prefill, sent.timings.prefill);
  EXPECT_EQ(told->at(0).timings.decode, sent.timings.decode);
  EXPECT_FALSE(told->at(1).sequence);
}

TEST(Standings, EveryWordRoundTrips) {
  for (uint8_t doing = 0; doing <= static_cast<uint8_t>(kLastDoing); ++doing) {
    for (uint8_t waits_for = 0; waits_for <= static_cast<uint8_t>(kLastWaitsFor); ++waits_for) {
      sluice::Standing sent = full_standing();
      sent.doing = static_cast<Doing>(doing);
      sent.waits_for = static_cast<WaitsFor>(waits_for);
      const auto told = standings_of(answer_of({to_message(sent)}));
      ASSERT_TRUE(told);
      EXPECT_EQ(told->at(0).doing, sent.doing);
      EXPECT_EQ(told->at(0).waits_for, sent.waits_for);
    }
  }
}

TEST(Standings, WhatIsOutOfRangeIsAProtocolError) {
  const auto expect_refused = [](const char* field, auto change) {
    Standing message = to_message(full_standing());
    change(message);
    const auto told = standings_of(answer_of({message}));
    ASSERT_FALSE(told) << field;
    EXPECT_EQ(told.error().code, ErrorCode::protocol);
    EXPECT_EQ(told.error().field, field);
  };
  constexpr auto endless = std::numeric_limits<uint64_t>::max();
  expect_refused("generation", [](Standing& m) { m.set_generation(0); });
  expect_refused("doing", [](Standing& m) { m.set_doing(static_cast<uint32_t>(kLastDoing) + 1); });
  expect_refused("waits_for", [](Standing& m) { m.set_waits_for(static_cast<uint32_t>(kLastWaitsFor) + 1); });
  expect_refused("sequence", [](Standing& m) { m.set_sequence(limits::sequences_max); });
  expect_refused("parked_tokens", [](Standing& m) { m.set_parked_tokens(901); });
  expect_refused("standing.starved_us", [](Standing& m) { m.set_starved_us(endless); });
  expect_refused("standing.decode_us", [](Standing& m) { m.set_decode_us(endless); });
}

// As the framing test cuts frames: a message that is cut anywhere is no message, or one with fewer fields that are
// each in range or refused.
TEST(Standings, CutAnywhereItIsRefusedOrInRange) {
  const std::string whole = answer_of({to_message(full_standing()), to_message(full_standing())}).SerializeAsString();
  for (size_t cut = 0; cut < whole.size(); ++cut) {
    Standings received;
    if (!received.ParseFromString(whole.substr(0, cut))) continue;
    const auto told = standings_of(received);
    EXPECT_TRUE(!told || told->size() < 2u) << "cut at byte " << cut;
  }
}

}  // namespace
}  // namespace sluice::proto
