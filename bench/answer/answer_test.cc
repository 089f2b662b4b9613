#include "bench/answer/answer.h"

#include <gmock/gmock.h>

#include "bench/answer/events.h"

namespace sluice::bench {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr TimePoint kStart{100s};

// A stream whose parts arrive 10 ms apart.
Recording streamed(const std::vector<std::string>& parts) {
  Recording recording;
  recording.sent = kStart;
  recording.end = WireEnd::whole;
  recording.status = 200;
  for (const std::string& part : parts) {
    recording.body += part;
    recording.ended = kStart + 10ms * static_cast<int>(recording.marks.size() + 1);
    recording.marks.push_back({recording.ended, static_cast<uint32_t>(recording.body.size())});
  }
  return recording;
}

std::string event(const std::string& data) { return "data: " + data + "\n\n"; }
std::string piece(const std::string& text) {
  return event(R"({"choices":[{"index":0,"delta":{"content":")" + text + "\"}}]}");
}
std::string raw(const std::string& text) { return event(R"({"choices":[{"text":")" + text + "\"}]}"); }
std::string finish(int tokens, int cached = 0) {
  return event(R"({"choices":[{"delta":{},"finish_reason":"length"}]})") +
         event(R"({"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":)" + std::to_string(tokens) +
               R"(,"prompt_tokens_details":{"cached_tokens":)" + std::to_string(cached) + "}}}");
}
const std::string kDone = event("[DONE]");

Answer read(const std::vector<std::string>& parts, Expected expected) { return read_answer(streamed(parts), expected); }

TEST(Answer, SaysWhatCameAndWhen) {
  const Answer answer = read({piece("Hel"), piece("lo"), finish(2), kDone}, {.tokens = 2});
  EXPECT_EQ(answer.text, "Hello");
  EXPECT_EQ(answer.first(), 10ms);
  ASSERT_EQ(answer.pieces.size(), 2u);
  EXPECT_EQ(answer.pieces[1].at, kStart + 20ms);
  EXPECT_EQ(answer.pieces[1].bytes, 2u);
  EXPECT_EQ(answer.ended, kStart + 40ms);
  EXPECT_EQ(answer.prompt_tokens, 9u);
  EXPECT_EQ(answer.completion_tokens, 2u);
  EXPECT_EQ(answer.cached_tokens, 0u);
  EXPECT_EQ(answer.finish_reason, "length");
  EXPECT_THAT(answer.faults, IsEmpty());
}

TEST(Answer, AnEventIsThereWhenItsLastByteIs) {
  std::string whole = piece("a");
  const Answer answer = read(
      {whole.substr(0, 20), whole.substr(20) + piece("b") + piece("c"), raw("d"), finish(4), kDone}, {.tokens = 4});
  EXPECT_EQ(answer.text, "abcd");
  EXPECT_EQ(answer.first(), 20ms);
  EXPECT_EQ(answer.pieces[2].at, answer.pieces[0].at);
  EXPECT_EQ(answer.pieces[3].at, kStart + 30ms);
}

TEST(Answer, ARoleWithoutTextIsNoFirstToken) {
  const Answer answer = read({event(R"({"choices":[{"delta":{"role":"assistant","content":""}}]})"),
                              event(R"({"choices":[{"delta":{"reasoning_content":"hm"}}]})"), finish(1), kDone},
                             {.tokens = 1});
  EXPECT_EQ(answer.first(), 20ms);
  EXPECT_EQ(answer.text, "hm");
}

TEST(Answer, TimingsAreTakenAsTheServerNamesThem) {
  const Answer answer =
      read({piece("a"), event(R"({"choices":[],"timings":{"draft_n":7,"model":"x","prompt_ms":1.5}})")}, {.tokens = 1});
  EXPECT_EQ(answer.timings, (std::map<std::string, double>{{"draft_n", 7}, {"prompt_ms", 1.5}}));
}

struct Case {
  const char* name;
  std::vector<std::string> parts;
  std::vector<Fault> faults;
  Expected expected{.tokens = 2};
};

TEST(Answer, EveryFaultOfAStreamIsNamed) {
  const std::string two = piece("a") + piece("b");
  const Case cases[] = {
      {"fewer tokens", {piece("a"), finish(1), kDone}, {Fault::wrong_token_count}},
      {"more tokens", {two, finish(3), kDone}, {Fault::wrong_token_count}},
      {"fewer tokens, as is allowed", {piece("a"), finish(1), kDone}, {}, {.tokens = 2, .exactly = false}},
      {"usage of 20 with 2 events", {two, finish(20), kDone}, {Fault::over_reported}, {.tokens = 20}},
      {"usage of 8 with 2 characters of 4 bytes", {piece("🌍") + piece("🌍"), finish(8), kDone}, {}, {.tokens = 8}},
      {"usage of 20 with them", {piece("🌍") + piece("🌍"), finish(20), kDone}, {Fault::over_reported}, {.tokens = 20}},
      {"a cached prompt", {two, finish(2, 9), kDone}, {Fault::from_cache}},
      {"a cached head, as is allowed", {two, finish(2, 9), kDone}, {}, {.tokens = 2, .cached_max = 9}},
      {"no usage", {two, event(R"({"choices":[{"finish_reason":"stop"}]})"), kDone}, {Fault::no_usage}},
      {"no [DONE]", {two, finish(2)}, {Fault::no_done}},
      {"no finish reason",
       {two, event(R"({"choices":[],"usage":{"completion_tokens":2}})"), kDone},
       {Fault::no_finish_reason}},
      {"nothing", {kDone}, {Fault::no_content}},
      {"an error", {piece("a"), event(R"({"error":{"message":"out of memory"}})")}, {Fault::error_event}},
      {"not JSON", {piece("a"), event("{oops"), finish(2), kDone}, {Fault::unreadable_event}},
  };
  for (const Case& c : cases) EXPECT_EQ(read(c.parts, c.expected).faults, c.faults) << c.name;
}

TEST(Answer, ADraftingServerSendsSeveralTokensAtOnce) {
  const Answer answer =
      read({piece("a b c d e f g h i j"), finish(10), event(R"({"choices":[],"timings":{"draft_n":9}})"), kDone},
           {.tokens = 10});
  EXPECT_THAT(answer.faults, IsEmpty());
}

TEST(Answer, ARefusalKeepsItsReason) {
  Recording recording = streamed({"{\"error\":{\"message\":\"full\"}}\n"});
  recording.status = 503;
  const Answer answer = read_answer(recording, {.tokens = 2});
  EXPECT_THAT(answer.faults, ElementsAre(Fault::refused));
  EXPECT_EQ(answer.trouble, "{\"error\":{\"message\":\"full\"}} ");
}

TEST(Answer, AStreamThatBreaksHasWhatCameAndOneFault) {
  const std::pair<WireEnd, Fault> cases[] = {{WireEnd::cut, Fault::cut_short}, {WireEnd::silent, Fault::timed_out}};
  for (const auto& [end, fault] : cases) {
    Recording recording = streamed({piece("a"), piece("b").substr(0, 9)});
    recording.end = end;
    const Answer answer = read_answer(recording, {.tokens = 2});
    EXPECT_THAT(answer.faults, ElementsAre(fault));
    EXPECT_EQ(answer.text, "a");
  }
}

TEST(Answer, NoAnswerAtAllIsAFailureWithItsCause) {
  Recording recording;
  recording.why = "Connection refused";
  const Answer answer = read_answer(recording, {.tokens = 2});
  EXPECT_THAT(answer.faults, ElementsAre(Fault::unreachable));
  EXPECT_EQ(answer.trouble, "Connection refused");
  EXPECT_TRUE(answer.has(Gravity::failure));
}

TEST(Answer, EveryFaultHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int raw = 0; raw < kFaults; ++raw) names.insert(name_of(static_cast<Fault>(raw)));
  EXPECT_EQ(names.size(), static_cast<size_t>(kFaults));
}

TEST(StreamEvents, AreTheSameForEveryLineEnd) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const std::string body =
        ": ping" + end + end + "event: x" + end + "data: a" + end + "data:b" + end + end + "data: [DONE]" + end + end;
    const auto events = events_of(body);
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].data, "a\nb");
    EXPECT_EQ(events[1].data, "[DONE]");
    EXPECT_EQ(events[1].end, body.size());
  }
}

TEST(StreamEvents, AnEventThatIsNotCompleteIsLeftOut) {
  const std::string body = "data: one\n\ndata: two\n\n";
  for (size_t size = 0; size <= body.size(); ++size) {
    const size_t complete = size < 11 ? 0 : size < body.size() ? 1 : 2;
    EXPECT_EQ(events_of(std::string_view(body).substr(0, size)).size(), complete) << size;
  }
}

}  // namespace
}  // namespace sluice::bench
