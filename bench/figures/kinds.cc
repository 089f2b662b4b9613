#include "bench/figures/kinds.h"

#include <algorithm>
#include <array>

namespace sluice::bench {
namespace {

constexpr std::array kKinds = {
    FigureKind{"tokens_per_s", "tok/s", Better::higher},
    FigureKind{"tokens_per_s_stream", "tok/s", Better::higher},
    FigureKind{"tokens_per_s_one", "tok/s", Better::higher},
    FigureKind{"prefill_tokens_per_s", "tok/s", Better::higher},
    FigureKind{"server_prefill_tokens_per_s", "tok/s", Better::higher},
    FigureKind{"prompt_tokens", "tok", Better::neither},
    FigureKind{"ttft_ms_p50", "ms", Better::lower},
    FigureKind{"ttft_ms_p90", "ms", Better::lower},
    FigureKind{"ttft_ms_p99", "ms", Better::lower},
    FigureKind{"ttft_ms_alone", "ms", Better::lower},
    FigureKind{"ttft_over_alone_ms", "ms", Better::neither},
    FigureKind{"ttft_ms_cold", "ms", Better::lower},
    FigureKind{"later_over_cold", "", Better::lower},
    FigureKind{"gap_ms_p50", "ms", Better::lower},
    FigureKind{"gap_ms_p99", "ms", Better::lower},
    FigureKind{"pause_ms_max", "ms", Better::lower},
    FigureKind{"wall_ms", "ms", Better::lower},
    FigureKind{"agents_wall_ms", "ms", Better::lower},
    FigureKind{"memory_bytes_peak", "B", Better::lower},
    FigureKind{"health_ms_max", "ms", Better::lower},
    FigureKind{"metrics_ms_max", "ms", Better::lower},
    FigureKind{"prefills", "", Better::lower},
    FigureKind{"shared_over_distinct", "", Better::lower},
    FigureKind{"shared_wall_over_distinct", "", Better::lower},
    FigureKind{"first_answer_ms", "ms", Better::lower},
    FigureKind{"goodput", "", Better::higher},
    FigureKind{"served", "", Better::higher},
    FigureKind{"last_over_first", "", Better::higher},
    FigureKind{"ready_ms", "ms", Better::lower},
    FigureKind{"first_request_ms", "ms", Better::lower},
    FigureKind{"cached_share", "", Better::neither},
    FigureKind{"both_over_one", "", Better::higher},
    FigureKind{"kept_share", "", Better::higher},
    FigureKind{"neighbour_kept_share", "", Better::higher},
};

}  // namespace

std::optional<FigureKind> figure_kind(std::string_view name) {
  const auto found = std::ranges::find(kKinds, name, &FigureKind::name);
  return found == kKinds.end() ? std::nullopt : std::optional(*found);
}

}  // namespace sluice::bench
