// The same prompt twice at once: what two people who ask the same get.
#include "bench/cells/factories.h"
#include "bench/load/prompts.h"

namespace sluice::bench {
namespace {

class Two final : public Cell {
 public:
  explicit Two(const config::BenchOptions& options) : tokens_(options.tokens.value_or(256)) {}

  std::string name() const override { return "two"; }
  std::vector<Variant> variants() const override {
    return {{"one prompt twice at once", "", std::nullopt, "", "tokens_per_s"}};
  }

  Figures measure(Stage& stage, size_t) override {
    Volley volley = stage.volley();
    for (int i = 0; i < 2; ++i) {
      Ask ask = stage.unique(0, std::string(task(0)), tokens_);
      ask.cached_max = UINT32_MAX;  // the second may use what the first computed
      volley.send(std::move(ask));
    }
    volley.run();
    const auto answers = stage.keep(volley);
    Figures figures;
    add_rates(figures, answers);
    add_first_token(figures, answers);
    return figures;
  }

 private:
  uint32_t tokens_;
};

}  // namespace

std::unique_ptr<Cell> make_two(const config::BenchOptions& options) { return std::make_unique<Two>(options); }

}  // namespace sluice::bench
