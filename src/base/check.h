// CHECK(condition): an assertion about our own code that stays on in release builds. It prints where and what, and
// aborts. Never for what a user, a file or another process sends: that is an Error. Thread: any.
#pragma once

namespace sluice {
[[noreturn]] void check_failed(const char* file, int line, const char* condition);
[[noreturn]] void unreachable_reached(const char* file, int line);
}  // namespace sluice

#define CHECK(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : ::sluice::check_failed(__FILE__, __LINE__, #condition))
#define UNREACHABLE() ::sluice::unreachable_reached(__FILE__, __LINE__)
