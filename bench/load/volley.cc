#include "bench/load/volley.h"

#include "base/limits.h"

namespace sluice::bench {
namespace {

constexpr size_t kBytesPerEvent = 1024;  // what servers spend on one token, at most, mostly a third of it
constexpr Duration kProbeSilence = std::chrono::seconds(10);

Room room_for(const Ask& ask) {
  return {.body_bytes = (64u << 10) + kBytesPerEvent * ask.tokens, .marks = 64 + 2 * size_t{ask.tokens}};
}

std::vector<http::Header> headers_of(const Target& target, const Ask& ask) {
  std::vector<http::Header> headers = target.headers;
  headers.insert(headers.end(), ask.headers.begin(), ask.headers.end());
  return headers;
}

}  // namespace

Volley::Volley(Loop& loop, const Target& target) : loop_(loop), target_(target), begun_(Clock::now()) {}

size_t Volley::add(Ask ask) {
  asked_.push_back({std::move(ask), {}, {}});
  ++awaited_;
  return asked_.size() - 1;
}

size_t Volley::send(Ask ask, OnAnswer on_answer) {
  const size_t index = add(std::move(ask));
  start(index, std::move(on_answer));
  return index;
}

size_t Volley::send_at(TimePoint when, Ask ask) {
  const size_t index = add(std::move(ask));
  loop_.at(when, [this, index] { start(index, {}); });
  return index;
}

void Volley::start(size_t index, OnAnswer on_answer) {
  const Ask& ask = asked_[index].ask;
  std::string request = post_request(target_.address, path_of(ask), headers_of(target_, ask),
                                     body_of(ask, target_.dialect, target_.model));
  loop_.send(target_.address, std::move(request), room_for(ask), limits::bench_silence_max,
             [this, index, on_answer = std::move(on_answer)](Recording recording) mutable {
               on_end(index, std::move(recording), std::move(on_answer));
             });
}

void Volley::on_end(size_t index, Recording recording, OnAnswer on_answer) {
  asked_[index].recording = std::move(recording);
  if (on_answer) {
    on_answer(read_answer(asked_[index].recording, expected_of(asked_[index].ask)));
  }
  if (--awaited_ == 0) loop_.cancel_actions();
}

void Volley::every(Duration interval, std::move_only_function<void()> action) {
  repeated_.push_back(std::make_unique<Repeated>(interval, std::move(action)));
  repeat(repeated_.size() - 1, Clock::now());
}

void Volley::repeat(size_t index, TimePoint when) {
  loop_.at(when, [this, index, when] {
    repeated_[index]->action();
    if (awaited_ > 0) repeat(index, when + repeated_[index]->interval);
  });
}

void Volley::probe_every(Duration interval, std::string path) {
  every(interval, [this, path = std::move(path)] { probe(path); });
}

void Volley::probe(const std::string& path) {
  loop_.send(target_.address, get_request(target_.address, path, target_.headers), {}, kProbeSilence,
             [this, path](const Recording& recording) {
               probes_.push_back(
                   {to_ms(recording.sent - begun_), path, recording.status, to_ms(recording.ended - recording.sent)});
             });
}

void Volley::run() {
  loop_.run();
  for (Asked& asked : asked_) asked.answer = read_answer(asked.recording, expected_of(asked.ask));
}

}  // namespace sluice::bench
