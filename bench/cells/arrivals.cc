// Requests that come when they come (an open loop: a slow server does not slow them down), at growing rates: how many
// of them are answered as a reader needs it?
#include <fmt/format.h>

#include <cmath>

#include "bench/cells/factories.h"
#include "bench/cells/pick.h"
#include "bench/load/prompts.h"
#include "engine/philox.h"

namespace sluice::bench {
namespace {

constexpr uint32_t kStreamsMax = 100'000;  // of one sample; see Stage::unique

// The gaps of a Poisson process: exponential, from counter-based uniform draws.
std::vector<Duration> poisson_arrivals(double rate, double seconds, uint64_t seed) {
  std::vector<Duration> arrivals;
  double at = 0;
  for (uint32_t i = 0; arrivals.size() < kStreamsMax; ++i) {
    const auto bits =
        engine::philox4x32_10({i, 0, 0, 0}, {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
    at += -std::log((bits[0] + 0.5) / 4294967296.0) / rate;
    if (at >= seconds) break;
    arrivals.push_back(from_us(1e6 * at));
  }
  return arrivals;
}

class Arrivals final : public Cell {
 public:
  explicit Arrivals(const config::BenchOptions& options)
      : rates_(given_or(options.rates, {0.5, 1, 2, 4})),
        seconds_(options.seconds.value_or(30)),
        tokens_(options.tokens.value_or(64)),
        first_max_ms_(options.first_token_ms),
        pace_min_(options.pace) {}

  std::string name() const override { return "arrivals"; }

  std::vector<Variant> variants() const override {
    std::vector<Variant> variants;
    for (const double rate : rates_) {
      variants.push_back({fmt::format("{} a second", rate), "", rate, "requests a second", "goodput", true});
    }
    return variants;
  }

  Figures measure(Stage& stage, size_t variant) override {
    Volley volley = stage.volley();
    uint32_t stream = 0;
    for (const Duration at : poisson_arrivals(rates_[variant], seconds_, stage.seed(0))) {
      volley.send_at(volley.begun() + at, stage.unique_chat(stream, std::string(task(stream)), tokens_));
      ++stream;
    }
    volley.run();
    const auto answers = stage.keep(volley);
    if (answers.size() >= kStreamsMax) stage.object("more requests than there are prompts for");
    if (answers.empty()) {
      stage.object("no request came in this time");
      return {};
    }
    Figures figures;
    add_first_token(figures, answers);
    add_gaps(figures, answers);
    figures["tokens_per_s"] = tokens_per_s(answers);
    double good = 0, served = 0;
    for (const Answer& answer : answers) {
      served += !answer.has(Gravity::failure);
      good += is_good(answer);
    }
    figures["served"] = served / static_cast<double>(answers.size());
    figures["goodput"] = good / static_cast<double>(answers.size());
    return figures;
  }

 private:
  bool is_good(const Answer& answer) const {
    if (answer.has(Gravity::failure) || to_ms(answer.first()) > first_max_ms_) return false;
    const auto pace = paces({&answer, 1});
    return pace.empty() || pace.front() >= pace_min_;
  }

  std::vector<double> rates_;
  uint32_t seconds_, tokens_;
  double first_max_ms_, pace_min_;
};

}  // namespace

std::unique_ptr<Cell> make_arrivals(const config::BenchOptions& options) { return std::make_unique<Arrivals>(options); }

}  // namespace sluice::bench
