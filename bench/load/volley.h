// Some requests to one server, sent together, at set times or one after another, and their answers. What came is read
// only when nothing is awaited any more, unless somebody asks for an answer when it ends. Refuses to judge answers.
//
// Thread: one. Lifetime: one measurement. The loop and the target outlive it.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/answer/answer.h"
#include "bench/load/ask.h"
#include "bench/load/target.h"
#include "bench/result/result.h"
#include "bench/wire/loop.h"

namespace sluice::bench {

struct Asked {
  Ask ask;
  Recording recording;
  Answer answer;
};

class Volley final {
 public:
  using OnAnswer = std::move_only_function<void(const Answer&)>;

  Volley(Loop& loop, const Target& target);

  // Both give the place of the answer in answers(). `on_answer` may send more.
  size_t send(Ask ask, OnAnswer on_answer = {});
  size_t send_at(TimePoint when, Ask ask);
  // Every `interval` while an answer is awaited, the first time at once.
  void every(Duration interval, std::move_only_function<void()> action);
  void probe_every(Duration interval, std::string path);

  void run();  // until every answer has ended
  TimePoint begun() const { return begun_; }
  std::vector<Asked> take_answers() { return std::move(asked_); }
  std::vector<Probe> take_probes() { return std::move(probes_); }

 private:
  struct Repeated {
    Duration interval;
    std::move_only_function<void()> action;
  };
  size_t add(Ask ask);
  void start(size_t index, OnAnswer on_answer);
  void on_end(size_t index, Recording recording, OnAnswer on_answer);
  void repeat(size_t index, TimePoint when);
  void probe(const std::string& path);

  Loop& loop_;
  const Target& target_;
  TimePoint begun_;
  std::vector<Asked> asked_;
  std::vector<std::unique_ptr<Repeated>> repeated_;
  std::vector<Probe> probes_;
  size_t awaited_ = 0;
};

}  // namespace sluice::bench
