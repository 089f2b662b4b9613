// How many tokens a second, with how many answers at once.
#include <fmt/format.h>

#include "bench/cells/factories.h"
#include "bench/cells/pick.h"
#include "bench/load/prompts.h"

namespace sluice::bench {
namespace {

using config::BenchSampling;

class Decode final : public Cell {
 public:
  explicit Decode(const config::BenchOptions& options)
      : levels_(given_or(options.levels, {1, 2, 4, 8, 16})),
        sampling_(given_or(options.sampling, {BenchSampling::greedy, BenchSampling::sampled})),
        tokens_(options.tokens.value_or(256)) {}

  std::string name() const override { return "decode"; }

  std::vector<Variant> variants() const override {
    std::vector<Variant> variants;
    for (const BenchSampling sampling : sampling_) {
      const std::string series = sampling == BenchSampling::greedy ? "greedy" : "sampled";
      for (const uint32_t level : levels_) {
        variants.push_back({fmt::format("{} streams, {}", level, series), series, level, "streams", "tokens_per_s"});
      }
    }
    return variants;
  }

  Figures measure(Stage& stage, size_t variant) override {
    const bool sampled = sampling_[variant / levels_.size()] == BenchSampling::sampled;
    Volley volley = stage.volley();
    for (uint32_t stream = 0; stream < levels_[variant % levels_.size()]; ++stream) {
      Ask ask = stage.unique(stream, std::string(task(stream)), tokens_);
      if (sampled) ask.sampled = Sampled{.seed = stage.seed(stream)};
      volley.send(std::move(ask));
    }
    volley.run();
    const auto answers = stage.keep(volley);
    Figures figures;
    add_rates(figures, answers);
    add_first_token(figures, answers);
    add_gaps(figures, answers);
    return figures;
  }

 private:
  std::vector<uint32_t> levels_;
  std::vector<BenchSampling> sampling_;
  uint32_t tokens_;
};

}  // namespace

std::unique_ptr<Cell> make_decode(const config::BenchOptions& options) { return std::make_unique<Decode>(options); }

}  // namespace sluice::bench
