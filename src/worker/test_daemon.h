// For tests: the daemon's end of a worker role that runs in a thread of this process, over a real socket pair, with
// the fake runtime behind it. Every wait has a deadline. Thread: the test's.
#pragma once

#include <gtest/gtest.h>

#include <future>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "proto/convert.h"
#include "proto/framing.h"
#include "runtime/fake_runtime.h"
#include "worker/adapter.h"

namespace sluice::worker {

// A model whose tokens are bytes, and whose token 256 ends an answer.
inline constexpr uint32_t kTestVocabulary = 260;
inline constexpr Token kTestEnd = 256;

// Empty initializers are for tests that name some members only: g++ warns of what has none.
// NOLINTBEGIN(readability-redundant-member-init)
struct TestModel {
  uint32_t lanes = 4;
  uint32_t window = 512;
  // Text that follows any prompt, then the end token; empty: varied text from the fake's hash.
  std::string says = {};
  std::vector<ScriptedFault> faults = {};
  std::string load_error = {};
  std::function<void()> during_load = {};
  std::optional<Tuning> tuning = {};  // made where the load asks for one
  std::function<void(Duration)> wait = {};
  std::shared_ptr<FakeCounters> counters = std::make_shared<FakeCounters>(64);
};
// NOLINTEND(readability-redundant-member-init)

Adapter test_adapter(TestModel model);
std::vector<Token> bytes_of(std::string_view text);
GenerationSpec spec_of(std::string_view prompt, uint32_t max_tokens);
GenerationSpec endless(std::string_view prompt = "go on");  // 480 tokens, which nearly fill a window

// One way to end: facts of one generation put together.
struct Answer {
  bool accepted = false;
  std::optional<uint32_t> cached_tokens;
  std::string text;
  std::vector<Token> tokens;
  std::vector<sluice::TokenLogprob> logprobs;
  std::optional<Finished> finished;
  std::optional<Error> failed;
  bool ended() const { return finished || failed; }
};

class TestDaemon final {
 public:
  explicit TestDaemon(TestModel model = {});
  ~TestDaemon();

  void send(const proto::ToWorker& message);
  void send_raw(std::string_view bytes);
  void load(uint32_t lanes = 4, uint32_t window = 512, bool tune = false, const Costs& costs = {});
  void load_and_wait(uint32_t lanes = 4, uint32_t window = 512);  // until Ready
  void submit(uint64_t id, const GenerationSpec& spec);
  void cancel(uint64_t id);
  void ack(uint64_t step);
  void ping(uint64_t number);
  void drain();
  void look(uint64_t number);
  void close();

  // The next frame; fails the test where none comes in time or the worker has closed.
  proto::FromWorker read();
  proto::Hello read_hello();
  proto::Events read_events();  // skips nothing
  proto::Events take_events();  // and acknowledges them, as the worker waits for before long
  proto::Pong read_pong();
  proto::Standings read_standings();  // keeps the events before it
  // Reads and acknowledges until all of `ids` have ended. Other generations' facts are kept too.
  std::map<uint64_t, Answer> read_answers(std::vector<uint64_t> ids);
  Answer answer(uint64_t id, const GenerationSpec& spec);  // submit and read to its end
  void keep(const proto::Events& events);                  // into answers()
  std::map<uint64_t, Answer>& answers() { return answers_; }

  int exit_code();      // waits for the worker to end
  bool worker_stuck();  // waits for the link's verdict

 private:
  bool read_more();
  int socket_ = -1;
  proto::FrameReader reader_;
  std::map<uint64_t, Answer> answers_;
  Adapter adapter_;
  std::promise<int> exit_;
  std::future<int> exited_;
  std::promise<void> stuck_;
  std::future<void> is_stuck_;
  std::thread thread_;
};

}  // namespace sluice::worker
