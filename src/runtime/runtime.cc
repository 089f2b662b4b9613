#include "runtime/runtime.h"

#include "base/check.h"

namespace sluice {

void LogitsSink::on_likeliest(SequenceId, Position, std::optional<Token>) { UNREACHABLE(); }

}  // namespace sluice
