// Starts a program as our child: one socket as its descriptor 3, stderr in a pipe, /dev/null for the rest, nothing else
// inherited; a scrubbed environment, default signals, its own terminal session, and killed when we die. Refuses to know
// what is said over the socket.
//
// Thread: core, which must outlive the child: the kernel kills a child whose parent *thread* ends.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "supervisor/unique_fd.h"

namespace sluice::supervisor {

struct Spawned {
  pid_t pid = 0;
  UniqueFd pidfd;   // readable when it has ended
  UniqueFd socket;  // our end
  UniqueFd errors;  // its stderr
};

// Returns when the program runs. Error: not_found (this file cannot be run: trying again is no use), io. `arguments`
// are without the program's name.
Result<Spawned> spawn(const std::string& executable, const std::vector<std::string>& arguments);

}  // namespace sluice::supervisor
