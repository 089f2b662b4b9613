// What a request changes in a row of logits before anything is chosen: bias, penalties, forbidden tokens. Only the
// tokens that are touched are kept, so that the row itself is neither copied nor written. Refuses to know how a token
// is chosen from it. Thread: one at a time. Lifetime: the sampler's; memory is reused from row to row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/core.h"

namespace sluice::engine {

class LogitEdits final {
 public:
  // Tokens are looked up by blocks of this many, the unit in which a row is read.
  static constexpr uint32_t kBlockTokens = 64;

  explicit LogitEdits(uint32_t vocabulary);

  // Starts anew for the row `raw`. Afterwards every touched token has its final logit, never NaN.
  void apply(std::span<const float> raw, const SamplingParams& params, std::span<const Token> known,
             uint32_t prompt_tokens, std::span<const Token> forbidden);

  bool touches(uint32_t block) const { return touched_[block] != 0; }
  // Writes the edits of `block` over `values`, which holds its logits.
  void patch(uint32_t block, std::span<float> values) const;

 private:
  struct Edit {
    Token token = 0;
    float logit = 0;
    uint32_t in_answer = 0;  // how often
    bool recent = false;     // among the last repeat_last_n
  };

  void clear();
  Edit& at(Token token, std::span<const float> raw);
  void add_bias(std::span<const float> raw, const SamplingParams& params);
  void count_tokens(std::span<const float> raw, const SamplingParams& params, std::span<const Token> known,
                    uint32_t prompt_tokens);
  void penalize(const SamplingParams& params);

  std::vector<Edit> edits_;
  std::vector<int32_t> index_of_;  // token -> index in edits_, or kUntouched
  std::vector<uint64_t> touched_;  // for each block a bit for each of its tokens
};

}  // namespace sluice::engine
