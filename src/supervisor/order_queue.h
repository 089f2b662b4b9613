// What a worker is told to do, in order; what its outbox has no room for waits here, so that many long prompts at once
// do not look like a worker that does not read. Refuses to know facts. Thread: core. Lifetime: its WorkerClient's.
#pragma once

#include <deque>

#include "core/core.h"
#include "proto/sluice.pb.h"
#include "supervisor/process_keeper.h"

namespace sluice::supervisor {

class OrderQueue final {
 public:
  explicit OrderQueue(ProcessKeeper& keeper);

  Result<void> submit(proto::ToWorker message);  // Error: too_large
  void cancel(GenerationId id);
  void drain();
  void on_room();
  void clear();

 private:
  void add(proto::ToWorker message);

  ProcessKeeper& keeper_;
  // At most one Submit or Cancel of each generation that lives, and one Drain.
  std::deque<proto::ToWorker> unsent_;
};

}  // namespace sluice::supervisor
