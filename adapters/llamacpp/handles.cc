#include "adapters/llamacpp/handles.h"

#include "ggml-cpu.h"
#include "llama.h"

namespace sluice::llamacpp {

void Free::operator()(llama_model* model) const { llama_model_free(model); }
void Free::operator()(llama_context* context) const {
  llama_detach_threadpool(context);
  llama_free(context);
}
void Free::operator()(llama_batch_ext* batch) const { llama_batch_ext_free(batch); }
void Free::operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }
void Free::operator()(ggml_threadpool* pool) const { ggml_threadpool_free(pool); }

}  // namespace sluice::llamacpp
