// A worker's message about what it measured and chose, as values. Error: protocol (a value outside its range). Pure.
// Thread: any.
#pragma once

#include "base/error.h"
#include "proto/sluice.pb.h"
#include "runtime/tuning.h"

namespace sluice::supervisor {

Result<Tuning> tuning_of(const proto::Tuning& message);

}  // namespace sluice::supervisor
