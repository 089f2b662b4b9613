#include "sim/draws.h"

#include <utility>

#include "base/check.h"
#include "sim/random.h"

namespace sluice::sim {

Choice Draws::draw(uint64_t state, const SamplingParams& params, std::span<const Token> known, uint32_t prompt_tokens,
                   uint32_t choice, std::span<const Token> forbidden) {
  for (size_t i = 0; i < logits_.size(); ++i) logits_[i] = static_cast<float>(mix(state + i) >> 40) * 0x1p-21f;
  const engine::DrawKey key{params.seed, choice, static_cast<uint32_t>(known.size())};
  std::optional<Choice> drawn = sampler_.sample(logits_, params, known, prompt_tokens, forbidden, key);
  CHECK(drawn);  // all these logits are numbers
  return *std::move(drawn);
}

}  // namespace sluice::sim
