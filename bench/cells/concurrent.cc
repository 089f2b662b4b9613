// Many streams that start together, with the memory of the server's processes and its own status answers beside them.
#include <fmt/format.h>

#include <algorithm>

#include "bench/cells/factories.h"
#include "bench/cells/pick.h"
#include "bench/load/prompts.h"

namespace sluice::bench {
namespace {

using namespace std::chrono_literals;

constexpr Duration kProbeInterval = 1s;
constexpr const char* kHealth = "/health";
constexpr const char* kMetrics = "/metrics";

// A server that never answers such a path has no figure; one that does at times is as slow as it was.
void add_slowest(Figures& figures, const std::vector<Probe>& probes, const char* path, const char* figure) {
  const auto is_of_path = [&](const Probe& probe) { return probe.path == path; };
  if (std::ranges::none_of(probes, [&](const Probe& p) { return is_of_path(p) && p.status == 200; })) return;
  for (const Probe& probe : probes) {
    if (is_of_path(probe)) figures[figure] = std::max(figures[figure], probe.took_ms);
  }
}

class Concurrent final : public Cell {
 public:
  explicit Concurrent(const config::BenchOptions& options)
      : levels_(given_or(options.levels, {8, 16, 32})), tokens_(options.tokens.value_or(128)) {}

  std::string name() const override { return "concurrent"; }

  std::vector<Variant> variants() const override {
    std::vector<Variant> variants;
    for (const uint32_t level : levels_) {
      variants.push_back({fmt::format("{} streams", level), "", level, "streams", "tokens_per_s"});
    }
    return variants;
  }

  Figures measure(Stage& stage, size_t variant) override {
    Volley volley = stage.volley();
    for (uint32_t stream = 0; stream < levels_[variant]; ++stream) {
      volley.send(stage.unique(stream, std::string(task(stream)), tokens_));
    }
    stage.watch_memory(volley);
    volley.probe_every(kProbeInterval, kHealth);
    volley.probe_every(kProbeInterval, kMetrics);
    volley.run();
    stage.read_memory(volley);  // what the last answer left
    const auto answers = stage.keep(volley);
    Figures figures;
    add_rates(figures, answers);
    add_first_token(figures, answers);
    add_gaps(figures, answers);
    add_slowest(figures, stage.probes(), kHealth, "health_ms_max");
    add_slowest(figures, stage.probes(), kMetrics, "metrics_ms_max");
    for (const auto& [at, bytes] : stage.memory()) {
      figures["memory_bytes_peak"] = std::max(figures["memory_bytes_peak"], static_cast<double>(bytes));
    }
    return figures;
  }

 private:
  std::vector<uint32_t> levels_;
  uint32_t tokens_;
};

}  // namespace

std::unique_ptr<Cell> make_concurrent(const config::BenchOptions& options) {
  return std::make_unique<Concurrent>(options);
}

}  // namespace sluice::bench
