#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace sluice {

void check_failed(const char* file, int line, const char* condition) {
  std::fprintf(stderr, "%s:%d: CHECK failed: %s\n", file, line, condition);
  std::abort();
}

void unreachable_reached(const char* file, int line) {
  std::fprintf(stderr, "%s:%d: reached what cannot be reached\n", file, line);
  std::abort();
}

}  // namespace sluice
