// The calls that wait for a codec's answer, in the order they are answered in. A codec answers in order, so of all it
// was asked only the first one can be what it died of. Pure: no clock, no process. Thread: core.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "core/core.h"
#include "proto/sluice.pb.h"

namespace sluice::supervisor {

struct CodecCall {
  proto::ToCodec message;
  std::move_only_function<void(Result<std::vector<Token>>)> done;
  TimePoint arrived;
  size_t bytes = 0;  // of the message
  int deaths = 0;    // of processes that owed the answer to this call
};

class CodecCalls final {
 public:
  // Error: overloaded, too_large; then `call` is as it was.
  Result<void> add(CodecCall& call);

  bool empty() const { return calls_.empty(); }
  CodecCall& first() { return calls_.front(); }
  CodecCall take_first();

  CodecCall* next_unsent() { return sent_ < calls_.size() ? &calls_[sent_] : nullptr; }
  void on_sent() { ++sent_; }
  bool first_is_sent() const { return sent_ > 0; }

  // The process is gone: all are to be asked again. Returns the call to fail where the first one was asked twice.
  std::optional<CodecCall> on_lost();
  std::vector<CodecCall> take_all();

 private:
  std::deque<CodecCall> calls_;  // bounded by limits::codec_calls_max
  size_t sent_ = 0;              // how many of the first have been sent to the process that lives
  size_t bytes_ = 0;
};

}  // namespace sluice::supervisor
