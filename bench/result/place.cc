#include "bench/result/place.h"

#include <fmt/format.h>

namespace sluice::bench::result {

std::string Place::text() const {
  std::string out;
  for (const auto& step : steps_) {
    if (const auto* index = std::get_if<size_t>(&step)) {
      out += fmt::format("[{}]", *index);
    } else {
      out += fmt::format("{}{}", out.empty() ? "" : ".", std::get<std::string_view>(step));
    }
  }
  return out;
}

}  // namespace sluice::bench::result
