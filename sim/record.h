// All that is known of one generation from outside of the engine: what was asked, what was told, where it is. Refuses
// to know which rules hold for it. Thread: one at a time (values).
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "core/core.h"

namespace sluice::sim {

enum class Place : uint8_t { waiting, running, preempted };
enum class Ending : uint8_t { none, finished, failed, left };

struct Record {
  GenerationId id;  // counts those that were let in, from 1: the order of arrival
  GenerationSpec spec;
  size_t client = 0;
  size_t talk = 0;
  TimePoint asked, submitted;
  uint32_t stop_after = 0;  // tokens, then a stop string is found; 0: never

  Place place = Place::waiting;
  std::optional<SequenceId> seq;  // which it holds
  bool started = false;
  bool paused = false;   // was preempted, and got no row since
  bool arrived = false;  // got its lane, and another sequence, in the plan at hand
  uint32_t cached = 0;
  std::vector<Token> answer;
  TimePoint first_token, starved_since;
  uint64_t service = 0;  // weighted tokens, as the engine charges them
  Ending ending = Ending::none;
  std::optional<FinishReason> reason;

  bool lives() const { return ending == Ending::none; }
  size_t known() const { return spec.prompt.size() + answer.size(); }
  size_t cls() const { return static_cast<size_t>(spec.cls); }
};

class Book final {
 public:
  Record& add() {
    const GenerationId id{all_.size() + 1};
    all_.emplace_back().id = id;
    live_.push_back(&all_.back());
    return all_.back();
  }
  void take_back() {  // the last one was refused
    live_.pop_back();
    all_.pop_back();
  }
  void end(Record& record, Ending ending) {
    record.ending = ending;
    record.seq.reset();
    std::erase(live_, &record);
  }
  Record* find(GenerationId id) { return id.raw == 0 || id.raw > all_.size() ? nullptr : &all_[id.raw - 1]; }
  Record& at(GenerationId id) { return all_.at(id.raw - 1); }
  const Record& at(GenerationId id) const { return all_.at(id.raw - 1); }
  const std::vector<Record*>& live() const { return live_; }  // in order of arrival
  const std::deque<Record>& all() const { return all_; }

 private:
  std::deque<Record> all_;
  std::vector<Record*> live_;
};

}  // namespace sluice::sim
