// What a cell takes from the options: its own value where nothing is asked. Thread: any.
#pragma once

#include <vector>

#include "config/bench_options.h"

namespace sluice::bench {

template <class T>
std::vector<T> given_or(const std::vector<T>& given, std::vector<T> own) {
  return given.empty() ? own : given;
}

}  // namespace sluice::bench
