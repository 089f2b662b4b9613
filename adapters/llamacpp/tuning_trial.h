// One way to set a context up, on trial: how long calls of a given shape take in it. What they compute means nothing.
// Refuses to know which other ways there are. Thread: step. Lifetime: within the model's.
#pragma once

#include <memory>

#include "adapters/llamacpp/batch.h"
#include "adapters/llamacpp/context.h"
#include "base/time.h"

namespace sluice::llamacpp {

// Calls that feed `rows` of each of `lanes` sequences, which have `depth` tokens before the first call.
struct Work {
  uint32_t lanes = 1;
  uint32_t depth = 0;
  uint32_t rows = 1;
  uint32_t calls = 1;
};

class Trial final {
 public:
  // Errors: open_context's.
  static Result<std::unique_ptr<Trial>> open(llama_model* model, const ContextSettings& settings,
                                             uint64_t kv_bytes_per_token, LibraryLog& log);
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // The shortest call's. Errors: timed_out, at `deadline` (of a CPU's passes; a device finishes its pass); fatal.
  Result<Duration> time_of(const Work& work, uint32_t threads, TimePoint deadline);

 private:
  Trial(OpenContext opened, uint32_t lanes);
  Result<void> take_depth(const Work& work);
  Result<void> call(const Work& work, Position first);

  OpenContext opened_;
  uint32_t lanes_;
  Batch batch_;
  TimePoint deadline_;
};

}  // namespace sluice::llamacpp
