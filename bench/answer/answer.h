// What a recorded stream says, in OpenAI's dialect, after it is over: its text and when it came, what the server
// counted, and everything that is wrong with it. Refuses to know sockets and which measurement this is. Pure. Thread:
// any.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/answer/fault.h"
#include "bench/wire/recording.h"

namespace sluice::bench {

// What the answer must be for its figures to count.
struct Expected {
  uint32_t tokens = 0;      // asked for, at most
  bool exactly = true;      // it must not end before them
  uint32_t cached_max = 0;  // tokens of the prompt that may come from a cache: what every prompt begins with
};

struct Piece {
  TimePoint at;        // when the last byte of its event had come
  uint32_t bytes = 0;  // of text
};

struct Answer {
  TimePoint sent, ended;
  int status = 0;
  std::vector<Piece> pieces;  // of text, one an event
  std::string text;
  std::optional<uint32_t> prompt_tokens, completion_tokens, cached_tokens;
  std::string finish_reason;
  std::map<std::string, double> timings;  // the server's own numbers, as it names them
  std::vector<Fault> faults;
  std::string trouble;  // what the server or the system says of a failure, one line

  bool has(Gravity gravity) const;
  uint32_t tokens() const;  // as the server counts, else as events came
  Duration first() const;   // from sent; there must be a piece
};

Answer read_answer(const Recording& recording, const Expected& expected);

}  // namespace sluice::bench
