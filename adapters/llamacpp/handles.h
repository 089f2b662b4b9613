// Owners of llama.cpp's objects. Refuses to know how they are made. Thread: as the objects'.
#pragma once

#include <memory>

struct llama_model;
struct llama_context;
struct llama_batch_ext;
struct llama_sampler;
struct ggml_threadpool;

namespace sluice::llamacpp {

struct Free {
  void operator()(llama_model* model) const;
  void operator()(llama_context* context) const;
  void operator()(llama_batch_ext* batch) const;
  void operator()(llama_sampler* sampler) const;
  void operator()(ggml_threadpool* pool) const;
};

using ModelPtr = std::unique_ptr<llama_model, Free>;
using ContextPtr = std::unique_ptr<llama_context, Free>;  // frees before the model and the pool it uses
using SamplerPtr = std::unique_ptr<llama_sampler, Free>;
using BatchPtr = std::unique_ptr<llama_batch_ext, Free>;
using ThreadpoolPtr = std::unique_ptr<ggml_threadpool, Free>;

}  // namespace sluice::llamacpp
