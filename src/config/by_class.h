// Numbers by class as words: "background=2,agent=6". Refuses to know what they bound. Thread: any.
#pragma once

#include <functional>
#include <string>

#include "base/error.h"
#include "core/core.h"

namespace sluice::config {

// Of every number: what is possible, and how an error says it.
struct ClassNumber {
  uint32_t min = 0, max = 0;
  const char* what = "";     // "a number of lanes"
  const char* example = "";  // "agent=2"
};

// `set` is given each class with its number, up to the first error.
Result<void> by_class(const std::string& comma_separated, const ClassNumber& number,
                      const std::function<void(Class, uint32_t)>& set);

}  // namespace sluice::config
