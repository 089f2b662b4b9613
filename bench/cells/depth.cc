// How fast one answer goes on after a long prompt.
#include <fmt/format.h>

#include "bench/cells/factories.h"
#include "bench/cells/pick.h"
#include "bench/load/prompts.h"

namespace sluice::bench {
namespace {

constexpr uint32_t kAround = 96;  // tokens of a prompt beside its prose, at most

class Depth final : public Cell {
 public:
  explicit Depth(const config::BenchOptions& options)
      : depths_(given_or(options.prompt_tokens, {0, 2000, 4000, 8000})), tokens_(options.tokens.value_or(64)) {
    const uint32_t window = options.context.value_or(4096);
    std::erase_if(depths_, [&](uint32_t depth) { return depth + kAround + tokens_ > window; });
  }

  std::string name() const override { return "depth"; }

  std::vector<Variant> variants() const override {
    std::vector<Variant> variants;
    for (const uint32_t depth : depths_) {
      variants.push_back({fmt::format("after {} tokens", depth), "", depth, "tokens before", "tokens_per_s_stream"});
    }
    return variants;
  }

  Figures measure(Stage& stage, size_t variant) override {
    Volley volley = stage.volley();
    volley.send(stage.unique(0, prose(depths_[variant], stage.seed(0)) + std::string(task(1)), tokens_));
    volley.run();
    const auto answers = stage.keep(volley);
    Figures figures;
    add_rates(figures, answers);
    add_gaps(figures, answers);
    if (answers.front().prompt_tokens) figures["prompt_tokens"] = *answers.front().prompt_tokens;
    return figures;
  }

 private:
  std::vector<uint32_t> depths_;
  uint32_t tokens_;
};

}  // namespace

std::unique_ptr<Cell> make_depth(const config::BenchOptions& options) { return std::make_unique<Depth>(options); }

}  // namespace sluice::bench
