// What somebody who reads along sees: the wait for the first token, and the gaps after it, with N chats at once.
#include <fmt/format.h>

#include "bench/cells/factories.h"
#include "bench/cells/pick.h"
#include "bench/load/prompts.h"

namespace sluice::bench {
namespace {

class Ttft final : public Cell {
 public:
  explicit Ttft(const config::BenchOptions& options)
      : levels_(given_or(options.levels, {1, 4, 8, 16})), tokens_(options.tokens.value_or(64)) {}

  std::string name() const override { return "ttft"; }

  std::vector<Variant> variants() const override {
    std::vector<Variant> variants;
    for (const uint32_t level : levels_) {
      variants.push_back({fmt::format("{} chats", level), "", level, "chats", "ttft_ms_p90"});
    }
    return variants;
  }

  Figures measure(Stage& stage, size_t variant) override {
    Volley volley = stage.volley();
    for (uint32_t stream = 0; stream < levels_[variant]; ++stream) {
      volley.send(stage.unique_chat(stream, std::string(task(stream)), tokens_));
    }
    volley.run();
    const auto answers = stage.keep(volley);
    Figures figures;
    add_first_token(figures, answers);
    add_gaps(figures, answers);
    add_rates(figures, answers);
    return figures;
  }

 private:
  std::vector<uint32_t> levels_;
  uint32_t tokens_;
};

}  // namespace

std::unique_ptr<Cell> make_ttft(const config::BenchOptions& options) { return std::make_unique<Ttft>(options); }

}  // namespace sluice::bench
