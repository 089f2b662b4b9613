// A process that computes without end on the cores that a server computes on, and counts how far it gets. Refuses to
// know servers. Thread: the one that made it. Lifetime: it ends with this object, and with this process.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "base/error.h"
#include "base/time.h"

namespace sluice::bench {

class Neighbour final {
 public:
  static Result<Neighbour> start();
  Neighbour(Neighbour&& other) noexcept;
  Neighbour& operator=(Neighbour&&) = delete;
  ~Neighbour();

  pid_t pid() const { return pid_; }
  uint64_t rounds() const;  // so far

 private:
  Neighbour(pid_t pid, uint64_t* rounds) : pid_(pid), rounds_(rounds) {}
  pid_t pid_;         // 0: moved from
  uint64_t* rounds_;  // in memory that both processes see
};

// Rounds a second of a neighbour that has the machine to itself.
Result<double> neighbours_pace_alone(Duration time);

}  // namespace sluice::bench
