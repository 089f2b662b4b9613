// What a worker is told to load as a message, and what it reports as values. Error: protocol (a value outside its
// range). Pure. Thread: any.
#pragma once

#include <string>

#include "base/error.h"
#include "proto/sluice.pb.h"
#include "runtime/load.h"
#include "supervisor/worker_report.h"

namespace sluice::supervisor {

proto::ToWorker load_message(const LoadOptions& load);
Result<WorkerReport> report_of(const proto::Ready& ready, const std::string& runtime_version);
void count(const proto::Events& events, WorkerReport& report);

}  // namespace sluice::supervisor
