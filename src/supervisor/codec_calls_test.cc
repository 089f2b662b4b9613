#include "supervisor/codec_calls.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace sluice::supervisor {
namespace {

CodecCall call_of(std::string text) {
  CodecCall call;
  call.message.mutable_tokenize()->set_text(std::move(text));
  return call;
}

std::string text_of(const CodecCall& call) { return call.message.tokenize().text(); }

class CodecCallsTest : public testing::Test {
 protected:
  bool add(std::string text) {
    CodecCall call = call_of(std::move(text));
    return calls.add(call).has_value();
  }
  void send_all() {
    while (calls.next_unsent()) calls.on_sent();
  }
  CodecCalls calls;
};

TEST_F(CodecCallsTest, AreSentAndAnsweredInOrder) {
  add("a");
  add("b");
  EXPECT_FALSE(calls.first_is_sent());
  EXPECT_EQ(text_of(*calls.next_unsent()), "a");
  calls.on_sent();
  EXPECT_TRUE(calls.first_is_sent());
  EXPECT_EQ(text_of(*calls.next_unsent()), "b");
  EXPECT_EQ(text_of(calls.take_first()), "a");
  EXPECT_FALSE(calls.first_is_sent());
  EXPECT_EQ(text_of(*calls.next_unsent()), "b");
}

TEST_F(CodecCallsTest, OnlyTheFirstIsASuspectOfALoss) {
  add("a");
  add("b");
  send_all();
  EXPECT_FALSE(calls.on_lost());
  EXPECT_EQ(text_of(*calls.next_unsent()), "a");
  send_all();
  const auto failed = calls.on_lost();
  ASSERT_TRUE(failed);
  EXPECT_EQ(text_of(*failed), "a");
  send_all();
  EXPECT_FALSE(calls.on_lost());  // b's first
  EXPECT_EQ(text_of(calls.first()), "b");
}

TEST_F(CodecCallsTest, ALossBeforeAnythingWasSentHasNoSuspect) {
  add("a");
  EXPECT_FALSE(calls.on_lost());
  EXPECT_FALSE(calls.on_lost());
  EXPECT_FALSE(calls.on_lost());
  EXPECT_EQ(calls.first().deaths, 0);
}

TEST_F(CodecCallsTest, OneMoreThanTheLimitIsOverloaded) {
  for (size_t i = 0; i < limits::codec_calls_max; ++i) ASSERT_TRUE(add("x"));
  CodecCall call = call_of("y");
  EXPECT_EQ(calls.add(call).error().code, ErrorCode::overloaded);
  EXPECT_EQ(text_of(call), "y");
  calls.take_first();
  EXPECT_TRUE(calls.add(call));
}

TEST_F(CodecCallsTest, BytesAreBoundedAndGivenBack) {
  const std::string large(limits::frame_bytes_max / 2, 'x');
  const size_t fit = limits::codec_calls_bytes_max / (large.size() + 64);
  for (size_t i = 0; i < fit; ++i) ASSERT_TRUE(add(large)) << i;
  EXPECT_FALSE(add(large));
  EXPECT_TRUE(add("a small one"));
  calls.take_first();
  EXPECT_TRUE(add(large));
  EXPECT_EQ(calls.take_all().size(), fit + 1);
  EXPECT_TRUE(calls.empty());
  for (size_t i = 0; i < fit; ++i) EXPECT_TRUE(add(large)) << i;
}

TEST_F(CodecCallsTest, OneThatNoFrameHoldsIsTooLarge) {
  CodecCall call = call_of(std::string(limits::frame_bytes_max, 'x'));
  EXPECT_EQ(calls.add(call).error().code, ErrorCode::too_large);
}

}  // namespace
}  // namespace sluice::supervisor
