// Conversations that come back in turn: is what they have said before computed again?
#include <fmt/format.h>

#include "bench/cells/factories.h"
#include "bench/cells/pick.h"
#include "bench/figures/statistics.h"
#include "bench/load/prompts.h"

namespace sluice::bench {
namespace {

constexpr uint32_t kTurns = 3;

// Asks the conversations one turn after another, each with what it has said and heard so far.
class Conversations final {
 public:
  Conversations(Stage& stage, Volley& volley, uint32_t sessions, uint32_t prompt, uint32_t tokens) : volley_(volley) {
    for (uint32_t session = 0; session < sessions; ++session) {
      const std::string opening = prose(prompt, stage.seed(session)) + "\n\n" + std::string(task(session));
      asks_.push_back(stage.unique_chat(session, opening, tokens));
    }
  }

  void ask(size_t turn) {
    const size_t session = turn % asks_.size();
    if (turn == asks_.size() * kTurns) return;
    Ask& ask = asks_[session];
    const bool cold = turn < asks_.size();
    ask.label = cold ? "first turn" : "later turn";
    if (!cold) ask.cached_max = UINT32_MAX;
    volley_.send(ask, [this, turn, session](const Answer& answer) {
      asks_[session].messages.push_back({"assistant", answer.text});
      asks_[session].messages.push_back({"user", "Go on, please, with an example."});
      this->ask(turn + 1);
    });
  }

 private:
  Volley& volley_;
  std::vector<Ask> asks_;
};

class Turns final : public Cell {
 public:
  explicit Turns(const config::BenchOptions& options)
      : levels_(given_or(options.levels, {6})),
        prompt_(options.prompt_tokens.empty() ? 600 : options.prompt_tokens.front()),
        tokens_(options.tokens.value_or(32)) {}

  std::string name() const override { return "turns"; }

  std::vector<Variant> variants() const override {
    std::vector<Variant> variants;
    for (const uint32_t level : levels_) {
      variants.push_back({fmt::format("{} conversations", level), "", level, "conversations", "later_over_cold"});
    }
    return variants;
  }

  Figures measure(Stage& stage, size_t variant) override {
    Volley volley = stage.volley();
    Conversations conversations(stage, volley, levels_[variant], prompt_, tokens_);
    conversations.ask(0);
    volley.run();
    const auto answers = stage.keep(volley);
    const auto cold = first_ms(std::span(answers).first(levels_[variant]));
    const auto later = first_ms(std::span(answers).subspan(levels_[variant]));
    if (cold.empty() || later.empty()) return {};
    return {{"ttft_ms_cold", median(cold)},
            {"ttft_ms_p50", median(later)},
            {"later_over_cold", median(later) / median(cold)}};
  }

 private:
  std::vector<uint32_t> levels_;
  uint32_t prompt_, tokens_;
};

}  // namespace

std::unique_ptr<Cell> make_turns(const config::BenchOptions& options) { return std::make_unique<Turns>(options); }

}  // namespace sluice::bench
