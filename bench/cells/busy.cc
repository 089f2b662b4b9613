// A machine that somebody else computes on, too: what the server keeps of its pace, and what it leaves the other.
#include <fmt/format.h>

#include "bench/cells/factories.h"
#include "bench/cells/neighbour.h"
#include "bench/cells/pick.h"
#include "bench/load/prompts.h"

namespace sluice::bench {
namespace {

using namespace std::chrono_literals;

constexpr Duration kAlone = 1s, kSettle = 1s;
constexpr uint64_t kBusyStream = 10'000;

class Busy final : public Cell {
 public:
  explicit Busy(const config::BenchOptions& options)
      : levels_(given_or(options.levels, {1})), tokens_(options.tokens.value_or(96)) {}

  std::string name() const override { return "busy"; }

  std::vector<Variant> variants() const override {
    std::vector<Variant> variants;
    for (const uint32_t level : levels_) {
      variants.push_back(
          {fmt::format("{} streams beside one busy process", level), "", level, "streams", "kept_share"});
    }
    return variants;
  }

  Figures measure(Stage& stage, size_t variant) override {
    settle(stage);
    const double quiet = tokens_per_s(ask(stage, levels_[variant], 0));
    const auto alone = neighbours_pace_alone(kAlone);
    const auto neighbour = Neighbour::start();
    if (!alone || !neighbour) {
      stage.object(alone ? neighbour.error().message : alone.error().message);
      return {};
    }
    const uint64_t before = neighbour->rounds();
    const TimePoint begun = Clock::now();
    const auto answers = ask(stage, levels_[variant], kBusyStream);
    const double pace = static_cast<double>(neighbour->rounds() - before) / to_seconds(Clock::now() - begun);
    Figures figures;
    add_rates(figures, answers);
    if (quiet > 0) figures["kept_share"] = figures["tokens_per_s"] / quiet;
    figures["neighbour_kept_share"] = pace / *alone;
    return figures;
  }

 private:
  // The last sample's neighbour is gone; a server that makes room for one shall know.
  static void settle(Stage& stage) {
    stage.loop().at(Clock::now() + kSettle, [] {});
    stage.loop().run();
  }

  std::vector<Answer> ask(Stage& stage, uint32_t level, uint64_t first_stream) const {
    Volley volley = stage.volley();
    for (uint32_t stream = 0; stream < level; ++stream) {
      Ask ask = stage.unique(first_stream + stream, std::string(task(stream)), tokens_);
      ask.label = first_stream == 0 ? "quiet" : "busy";
      volley.send(std::move(ask));
    }
    volley.run();
    return stage.keep(volley);
  }

  std::vector<uint32_t> levels_;
  uint32_t tokens_;
};

}  // namespace

std::unique_ptr<Cell> make_busy(const config::BenchOptions& options) { return std::make_unique<Busy>(options); }

}  // namespace sluice::bench
