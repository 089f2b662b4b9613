#include "admission/admission.h"

#include <gtest/gtest.h>

namespace sluice::admission {
namespace {

using namespace std::chrono_literals;
constexpr TimePoint kStart{};

config::ApiKey key_of(std::string name, const std::string& text) {
  config::ApiKey key;
  key.name = std::move(name);
  key.hash = sha256(text);
  return key;
}

ErrorCode code_of(const Result<Place>& place) { return place ? ErrorCode::internal : place.error().code; }

TEST(Keys, WithoutAnyNoneIsNeeded) { EXPECT_FALSE(Admission({}, {}, kStart).key_required()); }

TEST(Keys, EachIsFoundByItsText) {
  const Admission admission({}, {key_of("a", "alpha"), key_of("b", "beta")}, kStart);
  EXPECT_TRUE(admission.key_required());
  EXPECT_EQ(admission.account_of("alpha")->label(), "a");
  EXPECT_EQ(admission.account_of("beta")->label(), "b");
  EXPECT_NE(admission.account_of("alpha")->number(), admission.account_of("beta")->number());
}

TEST(Keys, EveryNearMissIsRefused) {
  const Admission admission({}, {key_of("a", "abab")}, kStart);
  for (const char* wrong : {"", "a", "ab", "aba", "ababa", "abababab", "abac", "Abab", " abab"}) {
    EXPECT_FALSE(admission.account_of(wrong)) << wrong;
  }
  EXPECT_FALSE(admission.account_of(std::string_view("abab\0", 5)));
}

TEST(Keys, AreReplacedAndKeepTheirAccountByName) {
  Admission admission({}, {key_of("a", "alpha"), key_of("b", "beta")}, kStart);
  const auto number = admission.account_of("alpha")->number();
  admission.replace_keys({key_of("c", "gamma"), key_of("a", "renewed")}, kStart);
  EXPECT_FALSE(admission.account_of("alpha"));
  EXPECT_FALSE(admission.account_of("beta"));
  EXPECT_EQ(admission.account_of("renewed")->number(), number);
  EXPECT_GT(admission.account_of("gamma")->number(), 2u);
}

TEST(Keys, WhatLivesOfAKeyThatIsGoneGoesOn) {
  Admission admission({}, {key_of("a", "alpha"), key_of("b", "beta")}, kStart);
  auto place = admission.admit(admission.account_of("alpha"), Class::agent, 2, kStart);
  admission.replace_keys({key_of("b", "beta")}, kStart);
  ASSERT_EQ(admission.accounts_with_live().size(), 1u);
  EXPECT_EQ(admission.accounts_with_live()[0]->label(), "a");
  place->leave(2);
  EXPECT_TRUE(admission.accounts_with_live().empty());
}

class LimitsOfAKey : public testing::Test {
 protected:
  void allow(std::optional<uint32_t> requests, std::optional<uint32_t> tokens, std::optional<uint32_t> concurrency,
             TimePoint now = kStart) {
    config::ApiKey key = key_of("a", "alpha");
    key.requests_per_minute = requests;
    key.tokens_per_minute = tokens;
    key.concurrency = concurrency;
    admission.replace_keys({key, key_of("b", "beta")}, now);
  }
  Result<Place> ask(uint32_t generations = 1, TimePoint now = kStart) {
    return admission.admit(admission.account_of("alpha"), Class::agent, generations, now);
  }
  Admission admission{{}, {}, kStart};
};

TEST_F(LimitsOfAKey, RequestsAMinute) {
  allow(2, {}, {});
  EXPECT_TRUE(ask(3) && ask());  // answers of one request are one
  const auto refused = ask();
  ASSERT_EQ(code_of(refused), ErrorCode::rate_limit_requests);
  EXPECT_EQ(refused.error().retry_after, 30s);
  EXPECT_TRUE(ask(1, kStart + 30s));
  EXPECT_TRUE(admission.admit(admission.account_of("beta"), Class::agent, 1, kStart));
}

TEST_F(LimitsOfAKey, ARefusedRequestCostsNothing) {
  allow(1, {}, 1);
  auto place = ask();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(code_of(ask()), ErrorCode::concurrency_limit);
  place = Place{};
  EXPECT_TRUE(ask(1, kStart + 60s));
}

TEST_F(LimitsOfAKey, TokensAMinuteOfPromptsAndAnswers) {
  allow({}, 60, {});
  auto place = ask(), other = ask();
  ASSERT_TRUE(place->spend_prompt(50, kStart));
  place->spend_answer(20, kStart);
  const auto refused = ask();
  ASSERT_EQ(code_of(refused), ErrorCode::rate_limit_tokens);
  EXPECT_EQ(refused.error().retry_after, 11s);
  EXPECT_EQ(other->spend_prompt(1, kStart).error().code, ErrorCode::rate_limit_tokens);
  EXPECT_TRUE(ask(1, kStart + 11s));
}

TEST_F(LimitsOfAKey, SeveralPromptsOfARequestAreLetInTogetherAndOwedTogether) {
  allow({}, 60, {});
  auto place = ask();
  ASSERT_TRUE(place->spend_prompt(70, kStart));
  EXPECT_TRUE(place->spend_prompt(49, kStart));
  EXPECT_EQ(ask(1, kStart + 59s).error().retry_after, 1s);
  EXPECT_TRUE(ask(1, kStart + 60s));
}

TEST_F(LimitsOfAKey, WhatWasSpentBeforeThereWasALimitIsNotGivenBackToIt) {
  for (const bool had_another : {false, true}) {
    allow({}, had_another ? std::optional(60u) : std::nullopt, {});
    auto place = ask(), other = ask();
    ASSERT_TRUE(place->spend_prompt(50, kStart));
    allow({}, {}, {});
    allow({}, 60, {}, kStart + 1s);
    ASSERT_TRUE(other->spend_prompt(80, kStart + 1s));
    place->give_back_prompts(kStart + 1s);
    EXPECT_EQ(ask(1, kStart + 1s).error().retry_after, 21s);
    allow({}, {}, {});
  }
}

TEST_F(LimitsOfAKey, TokensOfPromptsAreGivenBackOnceAndThoseOfAnswersStay) {
  allow({}, 60, {});
  auto place = ask();
  ASSERT_TRUE(place->spend_prompt(40, kStart) && place->spend_prompt(40, kStart));
  place->spend_answer(5, kStart);
  Place moved = std::move(*place);
  for (int i = 0; i < 2; ++i) moved.give_back_prompts(kStart);
  ASSERT_TRUE(moved.spend_prompt(55, kStart));
  const auto refused = ask();
  ASSERT_EQ(code_of(refused), ErrorCode::rate_limit_tokens);
  EXPECT_EQ(refused.error().retry_after, 1s);
}

TEST_F(LimitsOfAKey, AnswersAtOnce) {
  allow({}, {}, 3);
  auto two = ask(2);
  EXPECT_EQ(code_of(ask(2)), ErrorCode::concurrency_limit);
  two->leave(1);
  EXPECT_TRUE(ask(2));
  EXPECT_EQ(code_of(ask(4)), ErrorCode::invalid);
}

TEST_F(LimitsOfAKey, MayChangeWhileAnswersLive) {
  allow({}, {}, 2);
  auto place = ask(2);
  allow({}, {}, 1);
  EXPECT_EQ(code_of(ask()), ErrorCode::concurrency_limit);
  place->leave(2);
  EXPECT_TRUE(ask());
  allow({}, {}, {});
  EXPECT_TRUE(ask(9));
}

class Room : public testing::Test {
 protected:
  Result<Place> ask(Class cls, uint32_t generations = 1) {
    return admission.admit(admission.nobody(), cls, generations, kStart);
  }
  static config::QueueLimits limits() {
    config::QueueLimits limits;
    limits.total = 4;
    limits.by_class[static_cast<size_t>(Class::background)] = 2;
    limits.by_class[static_cast<size_t>(Class::completion)] = 0;
    limits.by_key = 3;
    return limits;
  }
  Admission admission{limits(), {key_of("a", "alpha"), key_of("b", "beta")}, kStart};
};

TEST_F(Room, IsForSoManyInAll) {
  auto three = ask(Class::agent, 3);
  auto one = ask(Class::interactive);
  const auto refused = ask(Class::interactive);
  EXPECT_EQ(code_of(refused), ErrorCode::queue_full);
  EXPECT_EQ(refused.error().message, "4 answers wait or run, and --queue-max lets in 4; try again later");
  three->leave(1);
  EXPECT_TRUE(ask(Class::interactive));
  EXPECT_EQ(code_of(ask(Class::agent, 5)), ErrorCode::invalid);
}

TEST_F(Room, OfAClassIsItsShare) {
  auto two = ask(Class::background, 2);
  EXPECT_EQ(code_of(ask(Class::background)), ErrorCode::queue_full);
  EXPECT_TRUE(ask(Class::agent));
  EXPECT_EQ(code_of(ask(Class::completion)), ErrorCode::invalid);
}

TEST_F(Room, OfAKeyIsItsShareAndOthersStillAsk) {
  const auto alpha = admission.account_of("alpha");
  auto three = admission.admit(alpha, Class::agent, 3, kStart);
  EXPECT_EQ(code_of(admission.admit(alpha, Class::agent, 1, kStart)), ErrorCode::key_queue_full);
  EXPECT_TRUE(admission.admit(admission.account_of("beta"), Class::agent, 1, kStart));
}

TEST_F(Room, APlaceGivesBackWhatItHolds) {
  {
    auto place = ask(Class::agent, 4);
    place->leave(1);
    Place moved = std::move(*place);
    EXPECT_EQ(code_of(ask(Class::agent, 2)), ErrorCode::queue_full);
  }
  EXPECT_TRUE(ask(Class::agent, 4));
}

TEST_F(Room, FiguresAreOfThoseThatLive) {
  auto place = ask(Class::agent, 2);
  ASSERT_EQ(admission.accounts_with_live().size(), 1u);
  const AccountPtr nobody = admission.accounts_with_live()[0];
  EXPECT_EQ(nobody->live(Class::agent), 2u);
  EXPECT_EQ(nobody->live(Class::background), 0u);
}

}  // namespace
}  // namespace sluice::admission
