#include "worker/test_daemon.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/check.h"
#include "worker/worker_role.h"

namespace sluice::worker {
namespace {

constexpr auto kDeadline = std::chrono::seconds(30);

class ByteTokens final : public TokenBytes {
 public:
  ByteTokens() {
    for (int i = 0; i < 256; ++i) bytes_[i] = static_cast<char>(i);
  }
  uint32_t size() const override { return kTestVocabulary; }
  std::string_view bytes_of(Token token) const override {
    return token < 256 ? std::string_view(&bytes_[token], 1) : std::string_view();
  }

 private:
  std::array<char, 256> bytes_{};
};

// The prompt is everything up to the last '>'.
LogitsRule saying(std::string text) {
  return [text = std::move(text)](std::span<const Token> tokens, uint64_t, std::span<float> row) {
    const auto mark = std::find(tokens.rbegin(), tokens.rend(), Token{'>'});
    const size_t said = static_cast<size_t>(mark - tokens.rbegin());
    std::fill(row.begin(), row.end(), 0.0f);
    row[said < text.size() ? static_cast<uint8_t>(text[said]) : kTestEnd] = 20;
  };
}

Result<LoadedModel> load_test_model(const TestModel& model, const LoadOptions& options,
                                    const std::function<void(float)>& progress) {
  for (int i = 0; i <= 1000; ++i) progress(static_cast<float>(i) / 1000);
  if (model.during_load) model.during_load();
  if (!model.load_error.empty()) return fail(ErrorCode::io, model.load_error);
  FakeOptions fake{.capabilities = fake_capabilities(model.lanes, model.window, kTestVocabulary, {kTestEnd})};
  fake.capabilities.call_tokens = std::min(options.batch, model.window);
  if (!model.says.empty()) fake.logits = saying(model.says);
  fake.faults = model.faults;
  fake.wait = model.wait;
  fake.counters = model.counters;
  return LoadedModel{std::make_unique<FakeRuntime>(std::move(fake)), std::make_unique<ByteTokens>(), "no machine",
                     options.tune ? model.tuning : std::nullopt};
}

struct Collect {
  Answer& answer;
  void operator()(const Accepted&) const { answer.accepted = true; }
  void operator()(const Started& started) const { answer.cached_tokens = started.cached_tokens; }
  void operator()(const Output& output) const {
    answer.text += output.text;
    answer.tokens.insert(answer.tokens.end(), output.tokens.begin(), output.tokens.end());
    answer.logprobs.insert(answer.logprobs.end(), output.logprobs.begin(), output.logprobs.end());
  }
  void operator()(const Finished& finished) const { answer.finished = finished; }
  void operator()(const Failed& failed) const { answer.failed = failed.error; }
};

}  // namespace

Adapter test_adapter(TestModel model) {
  Adapter adapter;
  adapter.name = "fake";
  adapter.runtime_version = "1.0";
  adapter.load = [model](const LoadOptions& options, const std::function<void(float)>& progress) {
    return load_test_model(model, options, progress);
  };
  return adapter;
}

std::vector<Token> bytes_of(std::string_view text) {
  std::vector<Token> tokens;
  for (const char byte : text) tokens.push_back(static_cast<uint8_t>(byte));
  return tokens;
}

GenerationSpec spec_of(std::string_view prompt, uint32_t max_tokens) {
  GenerationSpec spec;
  spec.prompt = bytes_of(prompt);
  spec.sampling.temperature = 0;
  spec.max_tokens = max_tokens;
  return spec;
}

GenerationSpec endless(std::string_view prompt) {
  GenerationSpec spec = spec_of(prompt, 480);
  spec.ignore_eos = true;
  return spec;
}

TestDaemon::TestDaemon(TestModel model)
    : adapter_(test_adapter(std::move(model))), exited_(exit_.get_future()), is_stuck_(stuck_.get_future()) {
  int ends[2];
  CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  socket_ = ends[0];
  thread_ = std::thread(
      [this, socket = ends[1]] { exit_.set_value(run_worker(socket, adapter_, [this] { stuck_.set_value(); })); });
}

TestDaemon::~TestDaemon() {
  close();
  thread_.join();
}

void TestDaemon::send_raw(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (wrote <= 0) return;  // the worker is gone: its exit code tells
    bytes.remove_prefix(static_cast<size_t>(wrote));
  }
}

void TestDaemon::send(const proto::ToWorker& message) {
  std::string frame;
  CHECK(proto::append_frame(message, frame));
  send_raw(frame);
}

void TestDaemon::load(uint32_t lanes, uint32_t window, bool tune, const Costs& costs) {
  proto::ToWorker message;
  proto::Load& load = *message.mutable_load();
  load.set_model_path("model");
  load.set_lanes(lanes);
  load.set_window(window);
  load.set_batch(256);
  load.set_ubatch(128);
  load.set_gpu_layers(-1);
  load.set_cache_type_k("f16");
  load.set_cache_type_v("f16");
  load.set_tune(tune);
  *load.mutable_costs() = proto::to_message(costs);
  send(message);
}

void TestDaemon::load_and_wait(uint32_t lanes, uint32_t window) {
  read_hello();
  load(lanes, window);
  proto::FromWorker message = read();
  while (message.has_loading()) message = read();
  ASSERT_TRUE(message.has_ready()) << message.ShortDebugString();
}

void TestDaemon::submit(uint64_t id, const GenerationSpec& spec) {
  proto::ToWorker message;
  *message.mutable_submit() = proto::to_message(GenerationId{id}, spec);
  send(message);
}

void TestDaemon::cancel(uint64_t id) {
  proto::ToWorker message;
  message.mutable_cancel()->set_generation(id);
  send(message);
}

void TestDaemon::ack(uint64_t step) {
  proto::ToWorker message;
  message.mutable_ack()->set_step(step);
  send(message);
}

void TestDaemon::ping(uint64_t number) {
  proto::ToWorker message;
  message.mutable_ping()->set_number(number);
  send(message);
}

void TestDaemon::drain() {
  proto::ToWorker message;
  message.mutable_drain();
  send(message);
}

void TestDaemon::look(uint64_t number) {
  proto::ToWorker message;
  message.mutable_look()->set_number(number);
  send(message);
}

void TestDaemon::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

bool TestDaemon::read_more() {
  pollfd polled{socket_, POLLIN, 0};
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(kDeadline).count();
  if (::poll(&polled, 1, static_cast<int>(ms)) != 1) return false;
  char bytes[4096];
  const ssize_t got = ::recv(socket_, bytes, sizeof bytes, 0);
  if (got <= 0) return false;
  reader_.feed({bytes, static_cast<size_t>(got)});
  return true;
}

proto::FromWorker TestDaemon::read() {
  proto::FromWorker message;
  for (;;) {
    const auto next = reader_.next();
    if (next && next->has) {
      EXPECT_TRUE(message.ParseFromArray(next->body.data(), static_cast<int>(next->body.size())));
      return message;
    }
    if (!next || !read_more()) {
      ADD_FAILURE() << "no frame came";
      return message;
    }
  }
}

proto::Hello TestDaemon::read_hello() {
  proto::FromWorker message = read();
  EXPECT_TRUE(message.has_hello());
  return message.hello();
}

proto::Events TestDaemon::read_events() {
  proto::FromWorker message = read();
  EXPECT_TRUE(message.has_events()) << message.ShortDebugString();
  keep(message.events());
  return message.events();
}

proto::Events TestDaemon::take_events() {
  proto::Events events = read_events();
  if (events.step() > 0 && !testing::Test::HasFailure()) ack(events.step());
  return events;
}

proto::Pong TestDaemon::read_pong() {
  proto::FromWorker message = read();
  EXPECT_TRUE(message.has_pong()) << message.ShortDebugString();
  return message.pong();
}

proto::Standings TestDaemon::read_standings() {
  proto::FromWorker message = read();
  for (; message.has_events(); message = read()) keep(message.events());
  EXPECT_TRUE(message.has_standings()) << message.ShortDebugString();
  return message.standings();
}

void TestDaemon::keep(const proto::Events& events) {
  for (const proto::GenerationEvent& event : events.events()) {
    const auto facts = proto::facts_of(event);
    ASSERT_TRUE(facts) << facts.error().message;
    Answer& answer = answers_[event.generation()];
    EXPECT_FALSE(answer.ended()) << "generation " << event.generation() << " speaks after its end";
    for (const proto::GenerationFact& fact : *facts) std::visit(Collect{answer}, fact);
  }
}

std::map<uint64_t, Answer> TestDaemon::read_answers(std::vector<uint64_t> ids) {
  const auto missing = [&] {
    return std::any_of(ids.begin(), ids.end(), [&](uint64_t id) { return !answers_[id].ended(); });
  };
  while (missing() && !testing::Test::HasFailure()) take_events();
  return answers_;
}

Answer TestDaemon::answer(uint64_t id, const GenerationSpec& spec) {
  submit(id, spec);
  return read_answers({id})[id];
}

int TestDaemon::exit_code() {
  if (exited_.wait_for(kDeadline) != std::future_status::ready) {
    ADD_FAILURE() << "the worker did not end";
    return -1;
  }
  return exited_.get();
}

bool TestDaemon::worker_stuck() { return is_stuck_.wait_for(kDeadline) == std::future_status::ready; }

}  // namespace sluice::worker
