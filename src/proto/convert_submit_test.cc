#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "base/limits.h"
#include "proto/convert.h"

namespace sluice::proto {
namespace {

// No field has its default value.
GenerationSpec full_spec() {
  GenerationSpec spec;
  spec.prompt = {1, 2, 49151, 0};
  spec.sampling.seed = 0xFEDCBA9876543210u;
  spec.sampling.temperature = 1.25f;
  spec.sampling.top_p = 0.5f;
  spec.sampling.min_p = 0.125f;
  spec.sampling.top_k = 17;
  spec.sampling.presence_penalty = -1.5f;
  spec.sampling.frequency_penalty = 0.75f;
  spec.sampling.repeat_penalty = 1.1f;
  spec.sampling.repeat_last_n = 99;
  spec.sampling.logit_bias = {{0, -100.f}, {7, 2.5f}, {9, -INFINITY}};
  spec.sampling.top_logprobs = 5;
  spec.choice = 3;
  spec.max_tokens = 77;
  spec.ignore_eos = true;
  spec.stop = {"\n\n", "END", "é"};
  spec.cls = Class::interactive;
  spec.class_named = true;
  spec.key = 12;
  spec.session = 0xFEDCBA9876543210u;
  spec.time_left = std::chrono::microseconds(1500);
  spec.refuse_late = true;
  spec.lane_within = std::chrono::microseconds(2500);
  return spec;
}

void expect_equal(const SamplingParams& a, const SamplingParams& b) {
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.temperature, b.temperature);
  EXPECT_EQ(a.top_p, b.top_p);
  EXPECT_EQ(a.min_p, b.min_p);
  EXPECT_EQ(a.top_k, b.top_k);
  EXPECT_EQ(a.presence_penalty, b.presence_penalty);
  EXPECT_EQ(a.frequency_penalty, b.frequency_penalty);
  EXPECT_EQ(a.repeat_penalty, b.repeat_penalty);
  EXPECT_EQ(a.repeat_last_n, b.repeat_last_n);
  EXPECT_EQ(a.logit_bias, b.logit_bias);
  EXPECT_EQ(a.top_logprobs, b.top_logprobs);
}

void expect_equal(const GenerationSpec& a, const GenerationSpec& b) {
  EXPECT_EQ(a.prompt, b.prompt);
  expect_equal(a.sampling, b.sampling);
  EXPECT_EQ(a.choice, b.choice);
  EXPECT_EQ(a.max_tokens, b.max_tokens);
  EXPECT_EQ(a.ignore_eos, b.ignore_eos);
  EXPECT_EQ(a.stop, b.stop);
  EXPECT_EQ(a.cls, b.cls);
  EXPECT_EQ(a.class_named, b.class_named);
  EXPECT_EQ(a.key, b.key);
  EXPECT_EQ(a.session, b.session);
  EXPECT_EQ(a.time_left, b.time_left);
  EXPECT_EQ(a.refuse_late, b.refuse_late);
  EXPECT_EQ(a.lane_within, b.lane_within);
}

Result<Submission> over_the_wire(const Submit& submit) {
  Submit received;
  EXPECT_TRUE(received.ParseFromString(submit.SerializeAsString()));
  return from_message(received);
}

TEST(Submit, EveryFieldRoundTrips) {
  const auto received = over_the_wire(to_message(GenerationId{12345678901}, full_spec()));
  ASSERT_TRUE(received) << received.error().message;
  EXPECT_EQ(received->id, GenerationId{12345678901});
  expect_equal(received->spec, full_spec());
}

TEST(Submit, DefaultsRoundTripToo) {
  GenerationSpec spec;
  spec.prompt = {1};
  spec.max_tokens = 1;
  const auto received = over_the_wire(to_message(GenerationId{1}, spec));
  ASSERT_TRUE(received) << received.error().message;
  expect_equal(received->spec, spec);
}

TEST(Submit, EveryValueAtItsLimitIsTaken) {
  GenerationSpec spec = full_spec();
  spec.sampling.temperature = 0;
  spec.sampling.top_p = 1;
  spec.sampling.min_p = 1;
  spec.sampling.top_k = std::numeric_limits<uint32_t>::max();
  spec.sampling.repeat_last_n = limits::repeat_last_n_max;
  spec.sampling.top_logprobs = limits::top_logprobs_max;
  spec.sampling.logit_bias.clear();
  for (size_t i = 0; i < limits::logit_bias_entries_max; ++i) spec.sampling.logit_bias.emplace_back(i, 1.f);
  spec.choice = limits::choices_max - 1;
  spec.max_tokens = limits::max_tokens_max;
  spec.stop.assign(limits::stop_strings_max, std::string(limits::stop_string_bytes_max, 's'));
  spec.cls = Class::background;
  spec.key = std::numeric_limits<uint32_t>::max();
  spec.session = std::numeric_limits<uint64_t>::max();
  spec.time_left = limits::deadline_max;
  const auto received = over_the_wire(to_message(GenerationId{1}, spec));
  ASSERT_TRUE(received) << received.error().message;
  expect_equal(received->spec, spec);
}

// Less than a microsecond is left: its time is not over yet, and the worker refuses none.
TEST(Submit, TheShortestTimeLeftIsStillTime) {
  GenerationSpec spec = full_spec();
  spec.time_left = std::chrono::nanoseconds(1);
  const auto received = over_the_wire(to_message(GenerationId{1}, spec));
  ASSERT_TRUE(received) << received.error().message;
  EXPECT_EQ(received->spec.time_left, std::chrono::microseconds(1));
}

TEST(Submit, LogprobsZeroIsNotAbsent) {
  GenerationSpec spec = full_spec();
  spec.sampling.top_logprobs = 0;
  EXPECT_EQ(over_the_wire(to_message(GenerationId{1}, spec))->spec.sampling.top_logprobs, 0u);
  spec.sampling.top_logprobs.reset();
  EXPECT_FALSE(over_the_wire(to_message(GenerationId{1}, spec))->spec.sampling.top_logprobs.has_value());
}

struct Damage {
  const char* field;
  std::function<void(Submit&)> apply;
};

std::vector<Damage> damages() {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  return {
      {"generation", [](Submit& s) { s.set_generation(0); }},
      {"choice", [](Submit& s) { s.set_choice(limits::choices_max); }},
      {"max_tokens", [](Submit& s) { s.set_max_tokens(0); }},
      {"max_tokens", [](Submit& s) { s.set_max_tokens(limits::max_tokens_max + 1); }},
      {"class", [](Submit& s) { s.set_class_(static_cast<uint32_t>(Class::background) + 1); }},
      {"class", [](Submit& s) { s.set_class_(256); }},
      {"time_left_us", [](Submit& s) { s.set_time_left_us(0); }},
      {"time_left_us",
       [](Submit& s) { s.set_time_left_us(std::chrono::microseconds(limits::deadline_max).count() + 1); }},
      {"time_left_us", [](Submit& s) { s.set_time_left_us(UINT64_MAX); }},
      {"lane_within_us", [](Submit& s) { s.set_lane_within_us(0); }},
      {"lane_within_us", [](Submit& s) { s.set_lane_within_us(UINT64_MAX); }},
      {"stop", [](Submit& s) { s.add_stop(""); }},
      {"stop", [](Submit& s) { s.add_stop(std::string(limits::stop_string_bytes_max + 1, 's')); }},
      {"stop",
       [](Submit& s) {
         while (s.stop_size() <= static_cast<int>(limits::stop_strings_max)) s.add_stop(std::string(3, 's'));
       }},
      {"temperature", [nan](Submit& s) { s.mutable_sampling()->set_temperature(nan); }},
      {"temperature", [](Submit& s) { s.mutable_sampling()->set_temperature(-0.5f); }},
      {"temperature", [](Submit& s) { s.mutable_sampling()->set_temperature(INFINITY); }},
      {"top_p", [nan](Submit& s) { s.mutable_sampling()->set_top_p(nan); }},
      {"top_p", [](Submit& s) { s.mutable_sampling()->set_top_p(1.5f); }},
      {"top_p", [](Submit& s) { s.mutable_sampling()->set_top_p(-0.5f); }},
      {"min_p", [nan](Submit& s) { s.mutable_sampling()->set_min_p(nan); }},
      {"min_p", [](Submit& s) { s.mutable_sampling()->set_min_p(1.5f); }},
      {"presence_penalty", [nan](Submit& s) { s.mutable_sampling()->set_presence_penalty(nan); }},
      {"frequency_penalty", [](Submit& s) { s.mutable_sampling()->set_frequency_penalty(-INFINITY); }},
      {"repeat_penalty", [](Submit& s) { s.mutable_sampling()->set_repeat_penalty(0); }},
      {"repeat_penalty", [nan](Submit& s) { s.mutable_sampling()->set_repeat_penalty(nan); }},
      {"repeat_last_n", [](Submit& s) { s.mutable_sampling()->set_repeat_last_n(limits::repeat_last_n_max + 1); }},
      {"top_logprobs", [](Submit& s) { s.mutable_sampling()->set_top_logprobs(limits::top_logprobs_max + 1); }},
      {"logit_bias", [](Submit& s) { s.mutable_sampling()->mutable_logit_bias(0)->set_token(-1); }},
      {"logit_bias", [](Submit& s) { s.mutable_sampling()->mutable_logit_bias(1)->set_token(0); }},
      {"logit_bias", [](Submit& s) { s.mutable_sampling()->mutable_logit_bias(1)->set_token(1000); }},
      {"logit_bias", [nan](Submit& s) { s.mutable_sampling()->mutable_logit_bias(0)->set_bias(nan); }},
      {"logit_bias", [](Submit& s) { s.mutable_sampling()->mutable_logit_bias(0)->set_bias(INFINITY); }},
      {"logit_bias",
       [](Submit& s) {
         for (size_t i = 0; i < limits::logit_bias_entries_max; ++i) {
           s.mutable_sampling()->add_logit_bias()->set_token(1000 + static_cast<int>(i));
         }
       }},
  };
}

TEST(Submit, AValueOutOfRangeIsAProtocolErrorThatNamesItsField) {
  size_t index = 0;
  for (const Damage& damage : damages()) {
    Submit submit = to_message(GenerationId{1}, full_spec());
    damage.apply(submit);
    const auto received = over_the_wire(submit);
    ASSERT_FALSE(received) << damage.field << ", damage " << index;
    EXPECT_EQ(received.error().code, ErrorCode::protocol);
    EXPECT_EQ(received.error().field, damage.field) << "damage " << index;
    ++index;
  }
}

TEST(Submit, WithoutSamplingIsAProtocolError) {
  Submit submit = to_message(GenerationId{1}, full_spec());
  submit.clear_sampling();
  EXPECT_FALSE(from_message(submit));
}

}  // namespace
}  // namespace sluice::proto
