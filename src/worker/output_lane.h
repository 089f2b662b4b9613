// What one generation has said in the step at hand, and what its answer is so far: text behind the detokenizer, stop
// strings, logprobs, and where its time went. Refuses to know the engine and frames. Thread: step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codec/codec.h"
#include "codec/output.h"
#include "core/core.h"

namespace sluice::worker {

class OutputLane final {
 public:
  OutputLane(std::vector<std::string> stop, bool wants_logprobs, TimePoint submitted);

  void start(TimePoint now);
  // After a stop string was found, tokens are not part of the answer.
  void add(const Choice& choice, bool is_end_token, const TokenBytes& bytes, TimePoint now);
  bool stopped() const { return stop_string_.has_value(); }
  // The end of the answer; what was held back becomes output. A stop string that the last token completed goes before
  // the engine's reason.
  Finished finish(FinishReason reason, const Usage& usage);
  // What there is for the client since the last call; absent where there is nothing.
  std::optional<Output> take_output();
  Timings timings_until(TimePoint now) const;  // what has not ended goes on until then

 private:
  void add_text(std::string_view bytes);
  void add_logprob(const Choice& choice, const TokenBytes& bytes);
  Timings timings() const;

  OutputText text_;
  const bool wants_logprobs_;
  std::optional<std::string> stop_string_;
  Output output_;  // since the last take_output()

  TimePoint submitted_;
  std::optional<TimePoint> started_, first_token_, last_token_;
};

}  // namespace sluice::worker
