// From nothing to an answer: how long a server takes to start, with its model in the page cache and without. Some are
// ready before they have loaded, so what counts is the first answer.
#include "bench/cells/factories.h"
#include "bench/cells/page_cache.h"
#include "bench/load/prompts.h"

namespace sluice::bench {
namespace {

constexpr double kColdShareMax = 0.05;

class Start final : public Cell {
 public:
  explicit Start(const config::BenchOptions& options) : tokens_(options.tokens.value_or(1)) {}

  std::string name() const override { return "start"; }
  bool starts_servers() const override { return true; }

  std::vector<Variant> variants() const override {
    return {{"model in the page cache", "", std::nullopt, "", "first_answer_ms"},
            {"model not in the page cache", "", std::nullopt, "", "first_answer_ms"}};
  }

  Figures measure(Stage& stage, size_t variant) override {
    Server& server = stage.server();
    const auto& launch = server.launch();
    if (!launch) {
      stage.object("a server at a URL is not started here");
      return {};
    }
    variant == 0 ? read_into_cache(launch->model) : drop_from_cache(launch->model);
    Figures figures = {{"cached_share", cached_share(launch->model)}};
    if (variant == 1) object_if_not_cold(stage, *launch, figures["cached_share"]);
    if (!server.start(stage.loop())) {
      stage.object("it did not start");
      return {};
    }
    figures["ready_ms"] = server.facts().ready_ms;
    Volley volley = stage.volley();
    volley.send(stage.unique(0, std::string(task(0)), tokens_));
    volley.run();
    figures["first_request_ms"] = wall_ms(stage.keep(volley));
    figures["first_answer_ms"] = figures["ready_ms"] + figures["first_request_ms"];
    server.stop();
    return figures;
  }

 private:
  static void object_if_not_cold(Stage& stage, const Launch& launch, double share) {
    if (launch.kind == Kind::mlx_lm || launch.kind == Kind::ollama)
      stage.object("it reads a copy of the model of its own");
    if (share > kColdShareMax) stage.object("the model stayed in the page cache");
  }

  uint32_t tokens_;
};

}  // namespace

std::unique_ptr<Cell> make_start(const config::BenchOptions& options) { return std::make_unique<Start>(options); }

}  // namespace sluice::bench
