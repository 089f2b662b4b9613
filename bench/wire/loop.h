// Sends requests and records their answers, all on one thread: per read one clock reading, one mark and the bytes.
// Nothing is parsed but the framing that tells an answer's end. Refuses to know what requests and answers mean.
//
// Thread: the one that calls run(). Lifetime: any; what is unfinished at the end is dropped.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/time.h"
#include "bench/wire/address.h"
#include "bench/wire/recording.h"

namespace sluice::bench {

// How much room an answer is given before it comes; more is found when it is needed.
struct Room {
  size_t body_bytes = 64u << 10;
  size_t marks = 1024;
};

class Loop final {
 public:
  using OnEnd = std::move_only_function<void(Recording)>;

  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // `request` is what post_request() made. The answer is given up after `silence_max` without a byte.
  void send(const Address& address, std::string request, Room room, Duration silence_max, OnEnd on_end);
  void at(TimePoint when, std::move_only_function<void()> action);
  // Until no answer is awaited and no action is due.
  void run();
  // Actions that are not due yet are dropped: run() waits for answers only.
  void cancel_actions();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sluice::bench
