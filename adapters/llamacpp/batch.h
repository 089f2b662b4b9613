// Feeds as the library takes them: one reused batch, rows sorted by sequence so that neighbours share a pass, and the
// way back from a feed to its rows. Refuses to know KV and results. Thread: step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "adapters/llamacpp/handles.h"
#include "runtime/runtime.h"

namespace sluice::llamacpp {

// Cuts a step into calls of the library of at most `outputs_max` logits rows each, in the order of the feeds. Nearly
// always one. A feed that wants all its rows may be cut itself.
std::vector<std::vector<Feed>> cut_by_outputs(std::span<const Feed> feeds, uint32_t outputs_max);

// Indices of `feeds` in order of their sequences.
std::vector<size_t> by_sequence(std::span<const Feed> feeds);

class Batch final {
 public:
  explicit Batch(llama_context* context);

  // Takes feeds that are valid (runtime/feed_rules.h) and fit the context's batch.
  void fill(std::span<const Feed> feeds);
  llama_batch_ext* get() { return batch_.get(); }
  // The first row of feed `index` of the last fill().
  int32_t first_row(size_t index) const { return first_rows_[index]; }

 private:
  void add(const Feed& feed);
  BatchPtr batch_;
  std::vector<int32_t> first_rows_;
  int32_t rows_ = 0;
};

}  // namespace sluice::llamacpp
