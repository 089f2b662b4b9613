// What cells and figures are called and mean, in words for people. A name that is not known here stands for itself.
// Refuses to know values. Thread: any. Internal to bench/report.
#pragma once

#include <string>
#include <string_view>

namespace sluice::bench::report {

struct CellWords {
  std::string_view name, title, meaning;
};
CellWords words_of_cell(std::string_view name);  // meaning: empty where the name is not known

struct FigureWords {
  std::string_view name, title, meaning;
};
FigureWords words_of_figure(std::string_view name);

}  // namespace sluice::bench::report
