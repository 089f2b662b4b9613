#include "bench/report/values.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/report/words.h"

namespace sluice::bench::report {

ShownUnit unit_of(const Family& family, std::string_view figure) {
  std::vector<double> medians;
  std::string_view unit;
  for (const auto* variant : family.variants) {
    for (const auto& summary : variant->summaries) {
      if (summary.figure != figure || summary.samples == 0) continue;
      medians.push_back(summary.median);
      unit = summary.unit;
    }
  }
  if (medians.empty()) return {};
  std::ranges::nth_element(medians, medians.begin() + static_cast<std::ptrdiff_t>(medians.size() / 2));
  return shown_unit(unit, medians[medians.size() / 2]);
}

std::string direction_of(const Family& family, std::string_view figure) {
  for (const auto* variant : family.variants) {
    if (const auto* summary = any_summary(*variant, figure))
      return fmt::format("{} is better", name_of(summary->better));
  }
  return "";
}

std::string figure_heading(const Family& family, std::string_view figure, const ShownUnit& unit) {
  std::string out(words_of_figure(figure).title);
  if (!unit.name.empty()) out += fmt::format(", {}", unit.name);
  const std::string direction = direction_of(family, figure);
  return direction.empty() ? out : fmt::format("{} · {}", out, direction);
}

std::string_view common_primary(const Family& family) {
  const std::string_view first = family.variants.empty() ? "" : std::string_view(family.variants.front()->primary);
  const bool common =
      std::ranges::all_of(family.variants, [&](const CellResult* cell) { return cell->primary == first; });
  return common ? first : "";
}

std::string value_text(const Summary& summary, const ShownUnit& unit) {
  return fmt::format("{} {}", number_text(summary.median * unit.factor),
                     interval_text(summary.low, summary.high, summary.median, unit));
}

std::string ratio_words(const Summary& summary) {
  if (summary.row == 0) return "reference";
  if (!summary.ratio) return "";
  return fmt::format("{}{}", mark_of(verdict_of(summary)), ratio_text(*summary.ratio));
}

}  // namespace sluice::bench::report
