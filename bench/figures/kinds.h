// Every figure that a cell gives: its unit, and which way is better. Refuses to know cells. Thread: any.
#pragma once

#include <optional>
#include <string_view>

#include "bench/result/result.h"

namespace sluice::bench {

struct FigureKind {
  std::string_view name, unit;
  Better better;
};

std::optional<FigureKind> figure_kind(std::string_view name);

}  // namespace sluice::bench
