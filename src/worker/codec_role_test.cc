#include "worker/codec_role.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <future>
#include <stdexcept>
#include <thread>

#include "base/build.h"
#include "base/check.h"
#include "base/limits.h"
#include "proto/convert.h"
#include "proto/framing.h"
#include "worker/exit_codes.h"

namespace sluice::worker {
namespace {

constexpr Token kHuge = 299;  // a token of very many bytes

class ToyCodec final : public Codec {
 public:
  explicit ToyCodec(std::string name) { facts_.model_name = std::move(name); }
  const VocabularyFacts& facts() const override { return facts_; }
  Result<std::vector<Token>> render(std::span<const ChatMessage> messages, bool add_generation_prompt) override {
    if (messages.empty()) throw std::invalid_argument("no messages");
    std::vector<Token> tokens;
    for (const ChatMessage& message : messages) tokens.push_back(static_cast<Token>(message.content.size()));
    if (add_generation_prompt) tokens.push_back(1000);
    return tokens;
  }
  Result<std::vector<Token>> tokenize(std::string_view text, bool add_special, bool) override {
    if (text == "bad") return fail(ErrorCode::invalid, "bad text", "prompt");
    std::vector<Token> tokens(text.size(), 7);
    if (add_special) tokens.insert(tokens.begin(), 1);
    return tokens;
  }
  Result<std::string> detokenize(std::span<const Token> tokens) override {
    return std::string(tokens.front() == kHuge ? limits::frame_bytes_max : tokens.size(), 'd');
  }

 private:
  VocabularyFacts facts_{"toy", "none", 2048, 300, 12, true, 64, 32};
};

Result<std::unique_ptr<Codec>> open_toy(const std::string& path) {
  if (path == "missing") return fail(ErrorCode::io, "no such file");
  if (path == "throws") throw std::runtime_error("bad magic");
  return std::make_unique<ToyCodec>(path == "latin1" ? "caf\xe9" : "toy");
}

class CodecRole : public testing::Test {
 protected:
  void SetUp() override {
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    socket_ = ends[0];
    adapter_.name = "toy";
    adapter_.open_codec = open_toy;
    thread_ = std::thread([this, end = ends[1]] { exit_.set_value(run_codec(end, adapter_)); });
    EXPECT_TRUE(read().has_hello());
  }
  void TearDown() override {
    close();
    thread_.join();
  }

  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }
  void send_raw(const std::string& bytes) {
    ASSERT_EQ(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }
  void send(const proto::ToCodec& message) {
    std::string frame;
    ASSERT_TRUE(proto::append_frame(message, frame));
    send_raw(frame);
  }
  proto::FromCodec read() {
    proto::FromCodec message;
    char bytes[4096];
    for (;;) {
      const auto next = reader_.next();
      CHECK(next);
      if (next->has) {
        EXPECT_TRUE(message.ParseFromArray(next->body.data(), static_cast<int>(next->body.size())));
        return message;
      }
      const ssize_t got = ::recv(socket_, bytes, sizeof bytes, 0);
      if (got <= 0) return message;
      reader_.feed({bytes, static_cast<size_t>(got)});
    }
  }
  proto::FromCodec ask(proto::ToCodec call) {
    call.set_call(++calls_);
    send(call);
    proto::FromCodec answer = read();
    EXPECT_EQ(answer.call(), calls_);
    return answer;
  }
  proto::FromCodec open(const std::string& path = "model") {
    proto::ToCodec call;
    call.mutable_open()->set_model_path(path);
    return ask(call);
  }
  int exit_code() { return exit_.get_future().get(); }

 private:
  Adapter adapter_;
  int socket_ = -1;
  uint64_t calls_ = 0;
  proto::FrameReader reader_;
  std::promise<int> exit_;
  std::thread thread_;
};

TEST_F(CodecRole, OpensAVocabularyAndSaysWhatItFound) {
  const proto::FromCodec answer = open();
  ASSERT_TRUE(answer.has_ready());
  EXPECT_EQ(answer.ready().model_name(), "toy");
  EXPECT_EQ(answer.ready().architecture(), "none");
  EXPECT_EQ(answer.ready().trained_window(), 2048u);
  EXPECT_EQ(answer.ready().vocabulary(), 300u);
  EXPECT_EQ(answer.ready().file_bytes(), 12u);
  EXPECT_TRUE(answer.ready().has_chat_template());
  EXPECT_EQ(answer.ready().kv_k_elements(), 64u);
  EXPECT_EQ(answer.ready().kv_v_elements(), 32u);
}

TEST_F(CodecRole, NamesThatAreNotUtf8AreRepairedForTheFrame) {
  EXPECT_EQ(open("latin1").ready().model_name(), "caf\xef\xbf\xbd");
}

TEST_F(CodecRole, AnswersEveryKindOfCallUnderItsNumber) {
  open();
  proto::ToCodec call;
  proto::ChatMessage& message = *call.mutable_render()->add_messages();
  message.set_role("user");
  message.set_content("hello");
  call.mutable_render()->set_add_generation_prompt(true);
  const proto::FromCodec rendered = ask(call);
  ASSERT_EQ(rendered.prompt().tokens_size(), 2);
  EXPECT_EQ(rendered.prompt().tokens(0), 5);
  call.mutable_tokenize()->set_text("abc");
  call.mutable_tokenize()->set_add_special(true);
  EXPECT_EQ(ask(call).prompt().tokens_size(), 4);
  call.mutable_detokenize()->add_tokens(3);
  EXPECT_EQ(ask(call).text().text(), "d");
  call.mutable_ping()->set_number(9);
  EXPECT_EQ(ask(call).pong().number(), 9u);
}

TEST_F(CodecRole, AnErrorOfACallIsItsAnswer) {
  open();
  proto::ToCodec call;
  call.mutable_tokenize()->set_text("bad");
  const proto::FromCodec answer = ask(call);
  EXPECT_EQ(proto::from_message(answer.failure()).code, ErrorCode::invalid);
  EXPECT_EQ(answer.failure().field(), "prompt");
}

TEST_F(CodecRole, AnExceptionOfTheLibraryIsAnAnswerAndTheCodecGoesOn) {
  open();
  proto::ToCodec call;
  call.mutable_render();
  EXPECT_NE(ask(call).failure().message().find("no messages"), std::string::npos);
  call.mutable_tokenize()->set_text("abc");
  EXPECT_EQ(ask(call).prompt().tokens_size(), 3);
}

TEST_F(CodecRole, AModelThatCannotBeOpenedSaysWhy) {
  EXPECT_EQ(open("missing").failure().message(), "no such file");
  EXPECT_NE(open("throws").failure().message().find("bad magic"), std::string::npos);
}

TEST_F(CodecRole, AnAnswerTooLargeForAFrameIsAFailure) {
  open();
  proto::ToCodec call;
  call.mutable_detokenize()->add_tokens(kHuge);
  const proto::FromCodec answer = ask(call);
  EXPECT_EQ(proto::from_message(answer.failure()).code, ErrorCode::too_large);
}

TEST_F(CodecRole, ACallBeforeTheVocabularyIsAProtocolError) {
  proto::ToCodec call;
  call.mutable_render();
  send(call);
  EXPECT_EQ(exit_code(), kExitProtocol);
}

TEST_F(CodecRole, ASecondVocabularyIsAProtocolError) {
  open();
  proto::ToCodec call;
  call.mutable_open()->set_model_path("other");
  send(call);
  EXPECT_EQ(exit_code(), kExitProtocol);
}

TEST_F(CodecRole, GarbageAndOversizedFramesAreProtocolErrors) {
  send_raw(std::string("\x02\0\0\0\xff\xff", 6));
  EXPECT_EQ(exit_code(), kExitProtocol);
}

TEST_F(CodecRole, AnOversizedFrameIsRefusedBeforeItsBody) {
  send_raw("\xff\xff\xff\xff");
  EXPECT_EQ(exit_code(), kExitProtocol);
}

TEST_F(CodecRole, EndsWithItsDaemon) {
  open();
  close();
  EXPECT_EQ(exit_code(), kExitEnded);
}

}  // namespace
}  // namespace sluice::worker
