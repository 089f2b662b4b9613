#include "adapters/llamacpp/cells.h"

#include <algorithm>
#include <vector>

#include "adapters/llamacpp/batch.h"

// The library's own headers: the public ones know no way that does not compute.
#include "llama-batch.h"
#include "llama-memory.h"
#include "llama-model.h"
#include "llama.h"

namespace sluice::llamacpp {
namespace {

// As the library's decode() does it for each part of a call, less the computing.
Result<void> apply(llama_context* context, const llama_batch_ext& batch) {
  llama_batch_allocr rows(static_cast<uint32_t>(batch.n_pos_per_embd));
  if (!rows.init(batch, llama_get_model(context)->vocab, false))
    return fail(ErrorCode::fatal, "llama.cpp refused the rows of cells to take");
  const auto parts = llama_get_memory(context)->init_batch(rows, llama_n_ubatch(context), false);
  if (!parts || parts->get_status() != LLAMA_MEMORY_STATUS_SUCCESS)
    return fail(ErrorCode::capacity, "llama.cpp found no room for the cells to take");
  do {
    if (!parts->apply()) return fail(ErrorCode::fatal, "llama.cpp could not take cells");
  } while (parts->next());
  return {};
}

}  // namespace

Result<void> take_cells(llama_context* context, SequenceId seq, uint32_t tokens) {
  Batch batch(context);
  const std::vector<Token> nothing(std::min(tokens, llama_n_batch(context)), 0);
  for (uint32_t taken = 0; taken < tokens;) {
    const auto part = std::min<size_t>(tokens - taken, nothing.size());
    const Feed feed{seq, std::span(nothing).first(part), static_cast<Position>(taken), LogitsWanted::none};
    batch.fill({&feed, 1});
    if (auto applied = apply(context, *batch.get()); !applied) return applied;
    taken += static_cast<uint32_t>(part);
  }
  return {};
}

}  // namespace sluice::llamacpp
