// A token from the state of the rows before it: logits made of the state, and the engine's own sampler over them.
// Refuses to know whose they are. Thread: one at a time per object.
#pragma once

#include <span>
#include <vector>

#include "engine/sampler.h"

namespace sluice::sim {

class Draws final {
 public:
  explicit Draws(uint32_t vocabulary) : sampler_(vocabulary), logits_(vocabulary) {}

  Choice draw(uint64_t state, const SamplingParams& params, std::span<const Token> known, uint32_t prompt_tokens,
              uint32_t choice, std::span<const Token> forbidden);

 private:
  engine::Sampler sampler_;
  std::vector<float> logits_;
};

}  // namespace sluice::sim
