// Two models: asked in turn of one server that has both, and of two servers that generate at once on one machine.
#include "bench/cells/factories.h"
#include "bench/figures/statistics.h"
#include "bench/load/prompts.h"

namespace sluice::bench {
namespace {

constexpr uint32_t kTurns = 4;
constexpr uint64_t kOther = 10'000;

class Switch final : public Cell {
 public:
  explicit Switch(const config::BenchOptions& options) : tokens_(options.tokens.value_or(64)) {}

  std::string name() const override { return "switch"; }

  std::vector<Variant> variants() const override {
    return {{"two models of one server in turn", "", std::nullopt, "", "ttft_ms_p50"},
            {"two servers at once", "", std::nullopt, "", "both_over_one"}};
  }

  Figures measure(Stage& stage, size_t variant) override { return variant == 0 ? in_turn(stage) : at_once(stage); }

 private:
  Figures in_turn(Stage& stage) const {
    const auto& models = stage.server().models();
    if (models.size() < 2) {
      stage.object("it serves one model");
      return {};
    }
    std::vector<double> firsts;
    for (uint32_t turn = 0; turn < kTurns; ++turn) {
      Target target = stage.server().target();
      target.model = models[turn % 2];
      Volley volley(stage.loop(), target);
      volley.send(stage.unique_chat(turn, std::string(task(turn)), tokens_));
      volley.run();
      const auto answers = stage.keep(volley);
      for (const double first : first_ms(answers)) firsts.push_back(first);
    }
    Figures figures;
    if (!firsts.empty()) figures["ttft_ms_p50"] = median(firsts);
    return figures;
  }

  Figures at_once(Stage& stage) const {
    auto second = stage.server().another();
    if (!second) {
      stage.object("a server at a URL cannot be started a second time");
      return {};
    }
    if (!second->start(stage.loop())) {
      stage.object("the second one did not start: " + second->facts().stderr_tail);
      return {};
    }
    const double one = tokens_per_s(ask(stage, {&stage.server()}, 0));
    const double both = tokens_per_s(ask(stage, {&stage.server(), &*second}, kOther));
    if (one == 0) return {};
    return {{"tokens_per_s_one", one}, {"tokens_per_s", both}, {"both_over_one", both / one}};
  }

  std::vector<Answer> ask(Stage& stage, const std::vector<Server*>& servers, uint64_t first_stream) const {
    std::vector<std::unique_ptr<Volley>> volleys;
    for (size_t i = 0; i < servers.size(); ++i) {
      volleys.push_back(std::make_unique<Volley>(stage.loop(), servers[i]->target()));
      volleys.back()->send(stage.unique(first_stream + i, std::string(task(i)), tokens_));
    }
    std::vector<Answer> answers;
    for (auto& volley : volleys) {
      volley->run();  // the first runs both: they share the loop
      for (Answer& answer : stage.keep(*volley)) answers.push_back(std::move(answer));
    }
    return answers;
  }

  uint32_t tokens_;
};

}  // namespace

std::unique_ptr<Cell> make_switch(const config::BenchOptions& options) { return std::make_unique<Switch>(options); }

}  // namespace sluice::bench
