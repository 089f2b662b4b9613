// A burst of requests that share a long prefix: how often is it computed?
#include <fmt/format.h>

#include "bench/cells/factories.h"
#include "bench/cells/pick.h"
#include "bench/figures/statistics.h"
#include "bench/load/prompts.h"

namespace sluice::bench {
namespace {

using std::chrono::milliseconds;

constexpr uint32_t kRequests = 16;
constexpr uint32_t kGaps[] = {0, 10, 100, 1000};
constexpr uint64_t kSharedStream = 10'000;

class Shared final : public Cell {
 public:
  explicit Shared(const config::BenchOptions& options)
      : gaps_(given_or(options.gaps, {std::begin(kGaps), std::end(kGaps)})),
        prefix_(options.prompt_tokens.empty() ? 1000 : options.prompt_tokens.front()),
        tokens_(options.tokens.value_or(32)) {}

  std::string name() const override { return "shared"; }

  std::vector<Variant> variants() const override {
    std::vector<Variant> variants;
    for (const uint32_t gap : gaps_) {
      variants.push_back({fmt::format("16 requests {} ms apart", gap), "", static_cast<double>(gap),
                          "ms between requests", "shared_over_distinct"});
    }
    return variants;
  }

  Figures measure(Stage& stage, size_t variant) override {
    const auto distinct = burst(stage, gaps_[variant], false);
    const auto shared = burst(stage, gaps_[variant], true);
    Figures figures;
    add_first_token(figures, shared);
    figures["wall_ms"] = wall_ms(shared);
    if (wall_ms(distinct) > 0) figures["shared_wall_over_distinct"] = wall_ms(shared) / wall_ms(distinct);
    // Without the first of each burst, which has nobody to share with.
    const auto later = first_ms(std::span(shared).subspan(1)), alone = first_ms(std::span(distinct).subspan(1));
    if (!later.empty() && !alone.empty()) figures["shared_over_distinct"] = median(later) / median(alone);
    if (const auto prefills = prefills_of(shared)) figures["prefills"] = *prefills;
    return figures;
  }

 private:
  std::vector<Answer> burst(Stage& stage, uint32_t gap_ms, bool share) {
    Volley volley = stage.volley();
    for (uint32_t i = 0; i < kRequests; ++i) {
      const uint64_t stream = share ? kSharedStream : i;
      const std::string text =
          prose(prefix_, stage.seed(stream)) + fmt::format("\n\nQuestion {}: ", i) + std::string(task(i));
      Ask ask = stage.unique(stream, text, tokens_);
      ask.label = share ? "shared" : "distinct";
      if (share) ask.cached_max = UINT32_MAX;
      volley.send_at(volley.begun() + milliseconds(gap_ms * i), std::move(ask));
    }
    volley.run();
    return stage.keep(volley);
  }

  // How many prompts' worth of tokens were computed; absent where the server does not say what came from its cache.
  static std::optional<double> prefills_of(const std::vector<Answer>& answers) {
    double computed = 0, prompts = 0;
    for (const Answer& answer : answers) {
      if (!answer.prompt_tokens || !answer.cached_tokens) return std::nullopt;
      computed += *answer.prompt_tokens - std::min(*answer.prompt_tokens, *answer.cached_tokens);
      prompts += *answer.prompt_tokens;
    }
    if (prompts == 0) return std::nullopt;
    return computed / (prompts / static_cast<double>(answers.size()));
  }

  std::vector<uint32_t> gaps_;
  uint32_t prefix_, tokens_;
};

}  // namespace

std::unique_ptr<Cell> make_shared_prefix(const config::BenchOptions& options) {
  return std::make_unique<Shared>(options);
}

}  // namespace sluice::bench
