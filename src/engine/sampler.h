// Chooses a token from one row of logits: penalties, bias, temperature, top-k, top-p, min-p, then a counter-based draw,
// so that a choice is a function of (seed, choice, position, logits) alone. Refuses to know generations and runtimes.
// Never sorts a vocabulary: partial selection. Thread: one at a time per object (it owns scratch memory that is reused,
// so that a steady state allocates nothing unless logprobs are asked for).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/core.h"

namespace sluice::engine {

struct DrawKey {
  uint64_t seed = 0;
  uint32_t choice = 0;    // which of the n answers
  uint32_t position = 0;  // index in the sequence of the token being chosen
};

// A uniform number in [0, 1) with 53 random bits: Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as
// 1, 2, 3", SC 2011), key = seed, counter = (position, choice, 0, 0).
double uniform_draw(const DrawKey& key);

// True where the choice is the likeliest token of the row as it came, and nothing else of the row is asked for.
bool picks_likeliest(const SamplingParams& params, std::span<const Token> forbidden);

class Sampler final {
 public:
  explicit Sampler(uint32_t vocabulary);
  ~Sampler();
  // `logits` has `vocabulary` floats; NaN counts as minus infinity. `known` is prompt and answer so far, the answer
  // starts at `prompt_tokens`. `forbidden` tokens are never chosen, as long as another exists.
  //
  // Order of the parts, as in llama.cpp's default chain: logit bias, penalties, top-k, top-p, min-p, temperature, draw.
  // The repeat penalty is over the last repeat_last_n of `known`, presence and frequency over the answer. Temperature 0
  // is the argmax after bias and penalties, the lowest id on a tie. The draw goes through the candidates from the most
  // probable on, the lower id first on a tie. If bias and `forbidden` leave no token that is possible, the lowest id
  // that is not forbidden is chosen. There is no choice where the row has none as it came: the model is at fault then,
  // and any token would look like an answer.
  //
  // Where top_logprobs is set, logprobs are those of the row as it came (`top` holds fewer where fewer tokens are
  // possible); else Choice::logprob is 0 and `top` empty.
  std::optional<Choice> sample(std::span<const float> logits, const SamplingParams& params,
                               std::span<const Token> known, uint32_t prompt_tokens, std::span<const Token> forbidden,
                               const DrawKey& key);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace sluice::engine
