// What the daemon may tell a worker, checked, as plain values; and how its messages become them. Refuses to know
// sockets and the engine. Ping is not among them: thread `link` answers it. Thread: any (values).
#pragma once

#include <variant>

#include "proto/convert.h"
#include "runtime/load.h"

namespace sluice::worker {

struct CancelLetter {
  GenerationId generation;
};
struct AckLetter {
  uint64_t step = 0;
};
struct DrainLetter {};
struct LookLetter {
  uint64_t number = 0;
};

using Letter = std::variant<LoadOptions, proto::Submission, CancelLetter, AckLetter, DrainLetter, LookLetter>;

// Error: protocol.
Result<Letter> letter_of(const proto::ToWorker& message);

}  // namespace sluice::worker
