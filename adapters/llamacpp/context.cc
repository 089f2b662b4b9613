#include "adapters/llamacpp/context.h"

#include <fmt/format.h>

#include <algorithm>

#include "adapters/llamacpp/threads.h"
#include "gguf/memory_plan.h"
#include "llama.h"

namespace sluice::llamacpp {
namespace {

uint32_t padded(uint32_t window) { return (window + gguf::kWindowStep - 1) / gguf::kWindowStep * gguf::kWindowStep; }

// What is model, device or position arithmetic stays the model's own; what costs memory or changes bytes is said here.
llama_context_params context_params(const ContextSettings& settings) {
  llama_context_params params = llama_context_default_params();
  params.n_ctx = settings.lanes * padded(settings.window);
  params.n_batch = settings.batch;
  params.n_ubatch = std::min(settings.ubatch, settings.batch);
  params.n_seq_max = settings.lanes;
  params.n_rs_seq = 0;
  params.n_outputs_max = settings.outputs_max;
  params.n_outputs_max_per_seq = settings.outputs_max;
  params.n_threads = static_cast<int32_t>(settings.threads);
  params.n_threads_batch = static_cast<int32_t>(settings.threads);
  params.ctx_type = LLAMA_CONTEXT_TYPE_DEFAULT;
  params.rope_scaling_type = LLAMA_ROPE_SCALING_TYPE_UNSPECIFIED;
  params.pooling_type = LLAMA_POOLING_TYPE_UNSPECIFIED;
  params.attention_type = LLAMA_ATTENTION_TYPE_UNSPECIFIED;
  params.flash_attn_type = settings.flash_attention ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
  params.rope_freq_base = 0;
  params.rope_freq_scale = 0;
  params.cb_eval = nullptr;
  params.cb_eval_user_data = nullptr;
  params.type_k = static_cast<ggml_type>(settings.type_k);
  params.type_v = static_cast<ggml_type>(settings.type_v);
  params.abort_callback = nullptr;  // the runtime's own, when it has one
  params.abort_callback_data = nullptr;
  params.embeddings = false;
  params.offload_kqv = true;
  params.no_perf = true;
  params.op_offload = true;
  params.swa_full = true;     // every position is kept, so that a sequence can be cut and copied anywhere
  params.kv_unified = false;  // a sequence's own cells: its results cannot depend on others
  params.samplers = nullptr;
  params.n_samplers = 0;
  params.ctx_other = nullptr;
  return params;
}

}  // namespace

Result<OpenContext> open_context(llama_model* model, const ContextSettings& settings, uint64_t kv_bytes_per_token,
                                 LibraryLog& log) {
  OpenContext opened;
  auto pool = make_pool(settings.threads);
  if (!pool) return std::unexpected(pool.error());
  opened.pool = std::move(*pool);
  log.begin();
  opened.context.reset(llama_init_from_model(model, context_params(settings)));
  if (!opened.context) {
    const uint64_t kv = kv_bytes_per_token * settings.lanes * padded(settings.window);
    return fail(ErrorCode::fatal, fmt::format("no context of {} lanes of {} tokens ({} MiB of KV): {}", settings.lanes,
                                              settings.window, kv >> 20, log.cause()));
  }
  llama_attach_threadpool(opened.context.get(), opened.pool.get(), opened.pool.get());
  opened.memory = memory_kind_of(opened.context.get());
  if (opened.memory == MemoryKind::none)
    return fail(ErrorCode::unsupported,
                "this model keeps no KV; only models that generate token by token can be served");
  if (llama_n_ctx_seq(opened.context.get()) < settings.window)
    return fail(ErrorCode::fatal, fmt::format("llama.cpp gave a window of {} tokens, not the {} asked for",
                                              llama_n_ctx_seq(opened.context.get()), settings.window));
  return opened;
}

}  // namespace sluice::llamacpp
