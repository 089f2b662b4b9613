// The first frame of both roles. Thread: any.
#pragma once

#include "proto/sluice.pb.h"
#include "worker/adapter.h"

namespace sluice::worker {

proto::Hello hello_message(const Adapter& adapter, const char* role);

}  // namespace sluice::worker
