#include "runtime/runtime.h"

#include "base/check.h"

namespace sluice {

void LogitsSink::on_likeliest(SequenceId, Position, Token) { UNREACHABLE(); }

}  // namespace sluice
