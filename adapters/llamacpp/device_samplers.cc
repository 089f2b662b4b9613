#include "adapters/llamacpp/device_samplers.h"

#include "llama.h"

namespace sluice::llamacpp {
namespace {

// A chain, since the library takes no other sampler; new each time, since one is set up for a backend only once.
SamplerPtr likeliest_sampler() {
  SamplerPtr chain(llama_sampler_chain_init(llama_sampler_chain_default_params()));
  llama_sampler_chain_add(chain.get(), llama_sampler_init_greedy());
  return chain;
}

}  // namespace

DeviceSamplers::DeviceSamplers(llama_context* context, uint32_t sequences) : context_(context), samplers_(sequences) {}

DeviceSamplers::~DeviceSamplers() {
  for (size_t seq = 0; seq < samplers_.size(); ++seq) choose_likeliest(SequenceId{static_cast<int32_t>(seq)}, false);
}

bool DeviceSamplers::choose_likeliest(SequenceId seq, bool wanted) {
  SamplerPtr& held = samplers_[static_cast<size_t>(seq.raw)];
  if (wanted == (held != nullptr)) return true;
  SamplerPtr next = wanted ? likeliest_sampler() : nullptr;
  if (!llama_set_sampler(context_, seq.raw, next.get())) return false;
  held = std::move(next);
  return true;
}

std::optional<Token> DeviceSamplers::chosen(int32_t row) const {
  const Token token = llama_get_sampled_token_ith(context_, row);
  if (token < 0) return std::nullopt;
  return token;
}

}  // namespace sluice::llamacpp
