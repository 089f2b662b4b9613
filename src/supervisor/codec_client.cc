#include "supervisor/codec_client.h"

#include <algorithm>

#include "base/check.h"
#include "proto/convert.h"
#include "supervisor/alarm.h"
#include "supervisor/codec_calls.h"
#include "supervisor/codec_messages.h"
#include "supervisor/postbox.h"
#include "supervisor/process_keeper.h"
#include "supervisor/words.h"

namespace sluice::supervisor {

class CodecClient::Impl final : public std::enable_shared_from_this<Impl> {
 public:
  Impl(boost::asio::io_context& core, Options options);
  void start(ReadyCallback ready);
  void ask(CodecCall call);
  void stop();
  void close();
  const ProcessKeeper& keeper() const { return keeper_; }

 private:
  void on_state(ProcessState state);
  void on_greeted();
  void on_lost(const Error& death);
  void on_frame(std::string_view body);
  void on_vocabulary(uint64_t call, const proto::VocabularyReady& ready);
  void on_prompt(uint64_t call, const proto::Prompt& prompt);
  void on_failure(uint64_t call, const proto::Failure& failure);

  Result<void> may_ask() const;
  void send_unsent();
  void watch_first();
  void on_waited_too_long();
  bool owes_answer_to(uint64_t call);
  void answer_first(Result<std::vector<Token>> result);
  void finish(CodecCall call, Result<std::vector<Token>> result);
  void finish_all(const Error& error);
  void tell_ready(Result<VocabularyFacts> result);

  const Options options_;
  ProcessKeeper keeper_;
  Postbox<Impl> postbox_;
  CodecCalls calls_;
  Alarm alarm_;           // of the first call
  uint64_t watched_ = 0;  // the call whose answer alarm_ waits for; 0: it waits for a process
  uint64_t last_call_ = 0;
  uint64_t open_call_ = 0;
  VocabularyFacts facts_;
  ReadyCallback ready_;  // until it has been called
};

namespace {

// What the process wrote to its stderr is for the log.
Error told_to_callers(const Error& failure) { return {failure.code, first_line(failure.message), failure.field}; }

ProcessKeeper::Options keeper_options(const CodecClient::Options& options) {
  return {options.executable, "codec",        options.expected_build,
          options.open_max,   options.timing, options.on_stderr_line};
}

}  // namespace

CodecClient::Impl::Impl(boost::asio::io_context& core, Options options)
    : options_(std::move(options)),
      keeper_(core, keeper_options(options_),
              {.on_frame = [this](std::string_view body) { on_frame(body); },
               .on_greeted = [this] { on_greeted(); },
               .on_room = [this] { send_unsent(); },
               .on_lost = [this](const Error& death) { on_lost(death); },
               .on_state = [this](ProcessState state) { on_state(state); }}),
      postbox_(core),
      alarm_(core) {}

void CodecClient::Impl::start(ReadyCallback ready) {
  CHECK(keeper_.state() == ProcessState::stopped);
  ready_ = std::move(ready);
  keeper_.start();
}

void CodecClient::Impl::stop() {
  keeper_.stop();
  const Error stopped{ErrorCode::unavailable, "the model's codec process was stopped", {}};
  tell_ready(std::unexpected(stopped));
  finish_all(stopped);
}

void CodecClient::Impl::close() {
  keeper_.stop();
  postbox_.take_back();
}

void CodecClient::Impl::on_state(ProcessState state) {
  switch (state) {
    case ProcessState::ready:
      tell_ready(facts_);
      send_unsent();
      break;
    case ProcessState::failed:
      tell_ready(std::unexpected(keeper_.failure()));
      finish_all(told_to_callers(keeper_.failure()));
      break;
    case ProcessState::stopped:
    case ProcessState::starting:
    case ProcessState::loading:
    case ProcessState::draining:
    case ProcessState::backing_off: break;
  }
}

void CodecClient::Impl::on_greeted() {
  proto::ToCodec open = open_message(options_.model_path);
  open_call_ = ++last_call_;
  open.set_call(open_call_);
  if (auto sent = keeper_.send(open); !sent) keeper_.on_load_failed(std::move(sent.error()));
}

void CodecClient::Impl::on_lost(const Error& death) {
  if (options_.on_lost) options_.on_lost(death);
  if (auto suspect = calls_.on_lost()) {
    Error error{ErrorCode::worker_lost,
                "two processes were lost while they prepared this prompt: " + first_line(death.message),
                {}};
    finish(std::move(*suspect), std::unexpected(std::move(error)));
  }
  watch_first();
}

void CodecClient::Impl::on_frame(std::string_view body) {
  proto::FromCodec message;
  if (!message.ParseFromArray(body.data(), static_cast<int>(body.size()))) {
    return keeper_.replace("sent garbage: a frame that is no message");
  }
  switch (message.body_case()) {
    case proto::FromCodec::kHello: return keeper_.on_hello(message.hello());
    case proto::FromCodec::kReady: return on_vocabulary(message.call(), message.ready());
    case proto::FromCodec::kPrompt: return on_prompt(message.call(), message.prompt());
    case proto::FromCodec::kFailure: return on_failure(message.call(), message.failure());
    case proto::FromCodec::kText:
    case proto::FromCodec::kPong:
    case proto::FromCodec::BODY_NOT_SET: return keeper_.replace("sent garbage: an answer to nothing that was asked");
  }
}

void CodecClient::Impl::on_vocabulary(uint64_t call, const proto::VocabularyReady& ready) {
  auto facts = facts_of(ready);
  if (!facts) return keeper_.replace("sent garbage: " + facts.error().message);
  if (call != open_call_) return keeper_.replace("sent garbage: a vocabulary that was not asked for");
  facts_ = std::move(*facts);
  keeper_.on_loaded();
}

void CodecClient::Impl::on_prompt(uint64_t call, const proto::Prompt& prompt) {
  if (!owes_answer_to(call)) return keeper_.replace("sent garbage: a prompt that was not asked for");
  auto tokens = tokens_of(prompt, facts_);
  if (!tokens) return keeper_.replace("sent garbage: " + tokens.error().message);
  answer_first(std::move(*tokens));
}

void CodecClient::Impl::on_failure(uint64_t call, const proto::Failure& failure) {
  Error error = proto::from_message(failure);
  if (keeper_.state() == ProcessState::loading && call == open_call_) return keeper_.on_load_failed(std::move(error));
  if (!owes_answer_to(call)) return keeper_.replace("sent garbage: a failure of nothing that was asked");
  answer_first(std::unexpected(std::move(error)));
}

bool CodecClient::Impl::owes_answer_to(uint64_t call) {
  return calls_.first_is_sent() && calls_.first().message.call() == call;
}

Result<void> CodecClient::Impl::may_ask() const {
  switch (keeper_.state()) {
    case ProcessState::stopped: return fail(ErrorCode::unavailable, "the model's codec process is not running");
    case ProcessState::failed: return std::unexpected(told_to_callers(keeper_.failure()));
    case ProcessState::starting:
    case ProcessState::loading:
    case ProcessState::ready:
    case ProcessState::draining:
    case ProcessState::backing_off: return {};
  }
  UNREACHABLE();
}

void CodecClient::Impl::ask(CodecCall call) {
  call.arrived = Clock::now();
  if (auto allowed = may_ask(); !allowed) return finish(std::move(call), std::unexpected(std::move(allowed.error())));
  if (auto added = calls_.add(call); !added) return finish(std::move(call), std::unexpected(std::move(added.error())));
  send_unsent();
}

void CodecClient::Impl::send_unsent() {
  for (CodecCall* call = nullptr; keeper_.state() == ProcessState::ready && (call = calls_.next_unsent());) {
    if (!keeper_.has_room(call->bytes)) break;
    call->message.set_call(++last_call_);
    const auto sent = keeper_.send(call->message);
    CHECK(sent);  // CodecCalls takes only what fits a frame
    calls_.on_sent();
  }
  watch_first();
}

// The codec answers in order: the time of one answer starts when all before it are there.
void CodecClient::Impl::watch_first() {
  if (calls_.empty()) {
    watched_ = 0;
    return alarm_.cancel();
  }
  if (!calls_.first_is_sent()) {
    watched_ = 0;
    const Duration left = calls_.first().arrived + options_.wait_max - Clock::now();
    return alarm_.after(std::max(left, Duration::zero()), [this] { on_waited_too_long(); });
  }
  if (watched_ == calls_.first().message.call()) return;
  watched_ = calls_.first().message.call();
  alarm_.after(options_.call_max,
               [this] { keeper_.replace("did not prepare a prompt within " + seconds_of(options_.call_max)); });
}

void CodecClient::Impl::on_waited_too_long() {
  finish(calls_.take_first(),
         fail(ErrorCode::unavailable, "the model's codec process was not ready in time; try again later"));
  watch_first();
}

void CodecClient::Impl::answer_first(Result<std::vector<Token>> result) {
  finish(calls_.take_first(), std::move(result));
  send_unsent();
}

void CodecClient::Impl::finish(CodecCall call, Result<std::vector<Token>> result) {
  postbox_.post(shared_from_this(),
                [done = std::move(call.done), result = std::move(result)](Impl&) mutable { done(std::move(result)); });
}

void CodecClient::Impl::finish_all(const Error& error) {
  for (CodecCall& call : calls_.take_all()) finish(std::move(call), std::unexpected(error));
  watch_first();
}

void CodecClient::Impl::tell_ready(Result<VocabularyFacts> result) {
  if (!ready_) return;
  postbox_.post(shared_from_this(), [ready = std::exchange(ready_, {}), result = std::move(result)](Impl&) mutable {
    ready(std::move(result));
  });
}

CodecClient::CodecClient(boost::asio::io_context& core, Options options)
    : impl_(std::make_shared<Impl>(core, std::move(options))) {}

CodecClient::~CodecClient() { impl_->close(); }

void CodecClient::start(ReadyCallback ready) { impl_->start(std::move(ready)); }

void CodecClient::render(std::vector<ChatMessage> messages, bool add_generation_prompt, PromptCallback done) {
  CodecCall call;
  call.message = render_message(messages, add_generation_prompt);
  call.done = std::move(done);
  impl_->ask(std::move(call));
}

void CodecClient::tokenize(std::string text, bool add_special, bool parse_special, PromptCallback done) {
  CodecCall call;
  call.message = tokenize_message(std::move(text), add_special, parse_special);
  call.done = std::move(done);
  impl_->ask(std::move(call));
}

void CodecClient::stop() { impl_->stop(); }

ProcessCounts CodecClient::counts() const { return impl_->keeper().counts(); }

int CodecClient::pid() const { return impl_->keeper().pid(); }

uint64_t CodecClient::resident_bytes() const { return impl_->keeper().resident_bytes(); }

}  // namespace sluice::supervisor
