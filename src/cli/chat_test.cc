#include "cli/chat.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace sluice::cli {
namespace {

boost::json::value json_of(const std::string& text) { return boost::json::parse(text); }

TEST(Chat, AsksWithWhatItWasTold) {
  config::RunOptions options;
  options.system = "Be brief.";
  options.max_tokens = 9;
  options.temperature = 0.5;
  options.seed = 7;
  Chat chat(options, "tiny");
  EXPECT_EQ(json_of(chat.ask("Hi \"you\"")), json_of(R"({"model":"tiny","stream":true,"max_tokens":9,
      "temperature":0.5,"seed":7,"messages":[{"role":"system","content":"Be brief."},
      {"role":"user","content":"Hi \"you\""}]})"));
}

TEST(Chat, LeavesTheServersDefaultsAlone) {
  Chat chat({}, "tiny");
  EXPECT_EQ(json_of(chat.ask("Hi")),
            json_of(R"({"model":"tiny","stream":true,"messages":[{"role":"user","content":"Hi"}]})"));
}

TEST(Chat, RemembersBothSidesOfATurn) {
  Chat chat({}, "tiny");
  chat.ask("One");
  EXPECT_EQ(chat.on_event(R"({"choices":[{"delta":{"role":"assistant","content":"A"}}]})"), "A");
  EXPECT_EQ(chat.on_event(R"({"choices":[{"delta":{"content":"nswer"}}]})"), "nswer");
  EXPECT_EQ(chat.on_event(R"({"choices":[{"delta":{},"finish_reason":"stop"}]})"), "");
  EXPECT_FALSE(chat.answer_is_whole());
  EXPECT_EQ(chat.on_event("[DONE]"), "");
  EXPECT_TRUE(chat.answer_is_whole());
  chat.end_turn();
  EXPECT_EQ(json_of(chat.ask("Two")).at("messages"), json_of(R"([{"role":"user","content":"One"},
      {"role":"assistant","content":"Answer"},{"role":"user","content":"Two"}])"));
}

TEST(Chat, ForgetsATurnThatFailedOrSaidNothing) {
  Chat chat({}, "tiny");
  chat.ask("One");
  chat.forget_turn();
  chat.ask("Two");
  chat.end_turn();
  EXPECT_EQ(json_of(chat.ask("Three")).at("messages"), json_of(R"([{"role":"user","content":"Three"}])"));
}

TEST(Chat, HandsOnTheServersError) {
  Chat chat({}, "tiny");
  chat.ask("One");
  const auto failed = chat.on_event(R"({"error":{"message":"the worker died","code":"worker_lost"}})");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "the worker died");
  EXPECT_EQ(chat.on_event("garbage").error().code, ErrorCode::protocol);
}

TEST(ErrorMessage, IsTheEnvelopesOrTheBody) {
  EXPECT_EQ(error_message(R"({"error":{"message":"too long"}})"), "too long");
  EXPECT_EQ(error_message("Bad Gateway"), "Bad Gateway");
}

TEST(FirstModel, IsTheFirstOfTheList) {
  EXPECT_EQ(first_model(R"({"object":"list","data":[{"id":"tiny"},{"id":"alias"}]})"), "tiny");
  EXPECT_FALSE(first_model(R"({"data":[]})"));
  EXPECT_FALSE(first_model("<html>"));
}

}  // namespace
}  // namespace sluice::cli
