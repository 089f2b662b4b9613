// Minutes of full lanes: does the server keep its pace?
#include <fmt/format.h>

#include "bench/cells/factories.h"
#include "bench/cells/pick.h"
#include "bench/load/prompts.h"

namespace sluice::bench {
namespace {

constexpr uint32_t kStreamsMax = 100'000;  // of one sample; see Stage::unique

double pieces_between(const std::vector<Answer>& answers, TimePoint from, TimePoint to) {
  double pieces = 0;
  for (const Answer& answer : answers) {
    pieces += static_cast<double>(
        std::ranges::count_if(answer.pieces, [&](const Piece& piece) { return piece.at >= from && piece.at < to; }));
  }
  return pieces;
}

// Keeps `lanes` answers going until the time is over.
class Treadmill final {
 public:
  Treadmill(Stage& stage, Volley& volley, TimePoint until, uint32_t tokens)
      : stage_(stage), volley_(volley), until_(until), tokens_(tokens) {}

  void ask() {
    if (Clock::now() >= until_ || stream_ >= kStreamsMax) return;
    const uint32_t stream = stream_++;
    volley_.send(stage_.unique(stream, std::string(task(stream)), tokens_), [this](const Answer& answer) {
      if (!answer.has(Gravity::failure)) ask();
    });
  }

 private:
  Stage& stage_;
  Volley& volley_;
  TimePoint until_;
  uint32_t tokens_;
  uint32_t stream_ = 0;
};

class Sustained final : public Cell {
 public:
  explicit Sustained(const config::BenchOptions& options)
      : levels_(given_or(options.levels, {8})),
        time_(std::chrono::seconds(options.seconds.value_or(120))),
        tokens_(options.tokens.value_or(128)) {}

  std::string name() const override { return "sustained"; }

  std::vector<Variant> variants() const override {
    std::vector<Variant> variants;
    for (const uint32_t level : levels_) {
      variants.push_back({fmt::format("{} streams", level), "", level, "streams", "last_over_first"});
    }
    return variants;
  }

  Figures measure(Stage& stage, size_t variant) override {
    Volley volley = stage.volley();
    const TimePoint begun = volley.begun();
    Treadmill treadmill(stage, volley, begun + time_, tokens_);
    for (uint32_t lane = 0; lane < levels_[variant]; ++lane) treadmill.ask();
    stage.watch_memory(volley);
    volley.run();
    const auto answers = stage.keep(volley);
    if (answers.size() >= kStreamsMax) stage.object("more requests than there are prompts for");
    Figures figures;
    add_rates(figures, answers);
    add_gaps(figures, answers);
    const double first = pieces_between(answers, begun, begun + time_ / 3);
    const double last = pieces_between(answers, begun + 2 * time_ / 3, begun + time_);
    if (first > 0) figures["last_over_first"] = last / first;
    return figures;
  }

 private:
  std::vector<uint32_t> levels_;
  Duration time_;
  uint32_t tokens_;
};

}  // namespace

std::unique_ptr<Cell> make_sustained(const config::BenchOptions& options) {
  return std::make_unique<Sustained>(options);
}

}  // namespace sluice::bench
