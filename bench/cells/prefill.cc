// How fast a prompt is computed: by the wait for its first token, and by the server's own word.
#include <fmt/format.h>

#include "bench/cells/factories.h"
#include "bench/cells/pick.h"
#include "bench/load/prompts.h"

namespace sluice::bench {
namespace {

constexpr const char* kTask = "\n\nSummarize the text above in five lines.";

constexpr uint32_t kAround = 96;  // tokens of a prompt beside its prose, at most

class Prefill final : public Cell {
 public:
  explicit Prefill(const config::BenchOptions& options)
      : prompts_(given_or(options.prompt_tokens, {2000, 8000, 20000})), tokens_(options.tokens.value_or(16)) {
    const uint32_t window = options.context.value_or(4096);
    std::erase_if(prompts_, [&](uint32_t prompt) { return prompt + kAround + tokens_ > window; });
  }

  std::string name() const override { return "prefill"; }

  std::vector<Variant> variants() const override {
    std::vector<Variant> variants;
    for (const uint32_t prompt : prompts_) {
      variants.push_back({fmt::format("{} tokens", prompt), "", prompt, "prompt tokens", "prefill_tokens_per_s"});
    }
    return variants;
  }

  Figures measure(Stage& stage, size_t variant) override {
    Volley volley = stage.volley();
    volley.send(stage.unique(0, prose(prompts_[variant], stage.seed(0)) + kTask, tokens_));
    volley.run();
    const auto answers = stage.keep(volley);
    Figures figures;
    add_first_token(figures, answers);
    const Answer& answer = answers.front();
    if (answer.prompt_tokens && !answer.pieces.empty()) {
      figures["prompt_tokens"] = *answer.prompt_tokens;
      figures["prefill_tokens_per_s"] = *answer.prompt_tokens / to_seconds(answer.first());
    }
    const auto own = answer.timings.find("prompt_per_second");
    if (own != answer.timings.end()) figures["server_prefill_tokens_per_s"] = own->second;
    return figures;
  }

 private:
  std::vector<uint32_t> prompts_;
  uint32_t tokens_;
};

}  // namespace

std::unique_ptr<Cell> make_prefill(const config::BenchOptions& options) { return std::make_unique<Prefill>(options); }

}  // namespace sluice::bench
