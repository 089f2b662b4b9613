// Calls into a library that may throw, and turns what it throws into an Error: a child answers for its library with
// words, and never by dying of an exception. Thread: any.
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "base/error.h"

namespace sluice::worker {

template <class Call>
auto guarded(Call&& call) -> decltype(call()) {
  try {
    return std::forward<Call>(call)();
  } catch (const std::exception& thrown) {
    return fail(ErrorCode::internal, std::string("the runtime library threw: ") + thrown.what());
  } catch (...) {
    return fail(ErrorCode::internal, "the runtime library threw what is no std::exception");
  }
}

}  // namespace sluice::worker
