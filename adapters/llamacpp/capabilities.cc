#include "adapters/llamacpp/capabilities.h"

#include <fmt/format.h>

#include "adapters/llamacpp/kv_snapshot.h"
#include "llama.h"

namespace sluice::llamacpp {
namespace {

std::vector<Token> end_tokens_of(const llama_vocab* vocabulary) {
  std::vector<Token> ends;
  for (Token token = 0; token < llama_vocab_n_tokens(vocabulary); ++token)
    if (llama_vocab_is_eog(vocabulary, token)) ends.push_back(token);
  return ends;
}

void add_moves(MemoryKind kind, Capabilities& can) {
  if (!keeps_every_position(kind)) return;  // the defaults: none, nowhere
  can.truncate = TruncateReach::anywhere;
  can.copy = can.sequences > 1 ? CopyCost::memcpy_window : CopyCost::none;
}

Capability export_import_of(MemoryKind kind) {
  if (keeps_every_cell(kind)) return Capability::yes();
  return Capability::no(fmt::format("this model keeps {}, which is not exported as a whole", name_of(kind)));
}

}  // namespace

Capabilities capabilities_of(const Loaded& loaded) {
  const auto* vocabulary = llama_model_get_vocab(loaded.model.get());
  const auto unproved = Capability::no("the self-check has not run");
  Capabilities can;
  can.sequences = llama_n_seq_max(loaded.context.get());
  can.window = loaded.window;
  can.vocabulary = static_cast<uint32_t>(llama_vocab_n_tokens(vocabulary));
  can.call_tokens = llama_n_batch(loaded.context.get());
  can.pass_tokens = llama_n_ubatch(loaded.context.get());
  can.kv_bytes_per_token = loaded.kv_bytes_per_token;
  can.end_tokens = end_tokens_of(vocabulary);
  add_moves(loaded.memory, can);
  can.equal_rows_per_pass = Capability::yes();
  can.adjacent_ids_per_pass = Capability::yes();
  can.mixed_passes = Capability::yes();
  can.export_import = export_import_of(loaded.memory);
  can.device_sampling = loaded.choose_on_backend ? Capability::yes() : Capability::no("the logits are in host memory");
  can.draft_heads = Capability::no("draft heads of a model are not loaded");
  can.lora = Capability::no("this adapter loads no LoRA");
  can.embeddings = Capability::no("this adapter computes logits only");
  can.alone_equals_beside = unproved;
  can.chunk_equals_chunk = unproved;
  can.decode_equals_prefill = unproved;
  can.copied_equals_computed = unproved;
  can.imported_equals_computed = unproved;
  return can;
}

}  // namespace sluice::llamacpp
