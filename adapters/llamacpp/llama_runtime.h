// The Runtime over libllama: one model, one context with per-sequence KV. It validates everything a library assertion
// would die of, and answers for itself what the library only claims to be able to do. Refuses to know requests,
// sampling and text. Thread: step, except abort_step(). Lifetime: from load to exit, within its LibraryLog's.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "adapters/llamacpp/batch.h"
#include "adapters/llamacpp/core_use.h"
#include "adapters/llamacpp/device_samplers.h"
#include "adapters/llamacpp/load.h"
#include "adapters/llamacpp/self_check.h"
#include "adapters/llamacpp/thread_governor.h"
#include "runtime/runtime.h"

namespace sluice::llamacpp {

class LlamaRuntime final : public Runtime {
 public:
  // Loads the model, and proves with it which exactness holds.
  static Result<std::unique_ptr<LlamaRuntime>> open(const LoadOptions& options, LibraryLog& log,
                                                    const std::function<void(float)>& progress);
  LlamaRuntime(const LlamaRuntime&) = delete;
  LlamaRuntime& operator=(const LlamaRuntime&) = delete;

  const Capabilities& capabilities() const override { return capabilities_; }
  PassCost passes_of(std::span<const Feed> feeds) const override;
  Result<void> step(std::span<const Feed> feeds, LogitsSink& sink) override;
  Position computed(SequenceId seq) const override;
  Result<void> copy(SequenceId from, SequenceId to, Position upto) override;
  Result<void> truncate(SequenceId seq, Position upto) override;
  Result<Snapshot> export_kv(SequenceId seq, Position upto) override;
  Result<void> import_kv(SequenceId seq, const Snapshot& snapshot) override;
  void drop(SequenceId seq) override;
  MemoryUse memory() const override;
  void abort_step() override;

  const llama_model* model() const { return loaded_.model.get(); }
  std::string system_info() const;  // one line
  const std::optional<Tuning>& tuning() const { return loaded_.tuning; }

 private:
  explicit LlamaRuntime(Loaded loaded);
  void adopt(const Exactness& exactness);
  void share_cores();
  Result<void> run(std::span<const Feed> feeds, LogitsSink& sink);
  Result<void> choose_where(std::span<const Feed> feeds);
  void emit_likeliest(const Feed& feed, size_t feed_index, LogitsSink& sink) const;
  Result<void> emit(std::span<const Feed> feeds, LogitsSink& sink);
  Result<void> ended_early(std::span<const Feed> feeds, int code);
  Position& computed_of(SequenceId seq) { return computed_[static_cast<size_t>(seq.raw)]; }
  void remove_from(SequenceId seq, Position first);

  Loaded loaded_;
  Capabilities capabilities_;
  Batch batch_;
  DeviceSamplers samplers_;
  CoreUse core_use_;
  ThreadGovernor governor_;
  uint32_t threads_;                // that the library computes with
  std::vector<Position> computed_;  // by sequence id
  std::atomic<bool> abort_ = false;
};

}  // namespace sluice::llamacpp
