// What was measured and chosen at this load, as a message. Pure. Thread: any.
#pragma once

#include "proto/sluice.pb.h"
#include "runtime/tuning.h"

namespace sluice::worker {

proto::Tuning tuning_message(const Tuning& tuning);

}  // namespace sluice::worker
