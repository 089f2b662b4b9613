#include <algorithm>
#include <array>

#include "bench/cells/factories.h"
#include "config/suggest.h"

namespace sluice::bench {
namespace {

struct Named {
  const char* name;
  std::unique_ptr<Cell> (*make)(const config::BenchOptions&);
};

constexpr std::array kCells = {
    Named{"decode", make_decode},
    Named{"prefill", make_prefill},
    Named{"two", make_two},
    Named{"depth", make_depth},
    Named{"ttft", make_ttft},
    Named{"concurrent", make_concurrent},
    Named{"behind", make_behind},
    Named{"shared", make_shared_prefix},
    Named{"turns", make_turns},
    Named{"arrivals", make_arrivals},
    Named{"sustained", make_sustained},
    Named{"start", make_start},
    Named{"switch", make_switch},
    Named{"busy", make_busy},
};

}  // namespace

std::vector<std::string> cell_names() {
  std::vector<std::string> names;
  for (const Named& cell : kCells) names.emplace_back(cell.name);
  return names;
}

Result<std::vector<std::unique_ptr<Cell>>> make_cells(const config::BenchOptions& options) {
  std::vector<std::unique_ptr<Cell>> cells;
  for (const std::string& word : options.cells) {
    const auto* const named = std::ranges::find(kCells, word, &Named::name);
    if (named == kCells.end()) {
      const auto meant = config::nearest(word, cell_names());
      return fail(
          ErrorCode::invalid,
          "no cell '" + word + "'; " + (meant ? "did you mean " + *meant + "?" : "`sluice bench --help` lists them"));
    }
    cells.push_back(named->make(options));
    if (cells.back()->variants().empty()) {
      return fail(ErrorCode::invalid, word + ": no prompt length fits the context; --context makes it larger",
                  "--context");
    }
  }
  return cells;
}

}  // namespace sluice::bench
