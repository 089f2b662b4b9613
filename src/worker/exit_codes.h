// What a child process's exit code says to the daemon. Thread: any.
#pragma once

#include <cstdint>

namespace sluice::worker {

enum ExitCode : uint8_t {
  kExitEnded = 0,       // after Drain, or the daemon closed the socket
  kExitUsage = 2,       // wrong arguments, or not started by the daemon
  kExitLoadFailed = 3,  // the model cannot be loaded; load_failed said why
  kExitProtocol = 4,    // the daemon sent what the protocol does not allow
  kExitFatal = 5,       // the runtime is lost
};

}  // namespace sluice::worker
