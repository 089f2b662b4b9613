// Check: of two keys of one class that always want more, neither gets much more than the other. Their weighted tokens
// differ at most by
//   256 x (1 + W / 1.5 s)     the quantum, which grows by one for each 1.5 s that the key that got more starves,
//   10 x move / row           a lane goes over only where that is worth ten times the move,
//   what the lanes' running generations may still get: they end where host memory cannot take them.
// Refuses to know how it comes about. Thread: one at a time per object.
#pragma once

#include "sim/record.h"
#include "sim/scenario.h"
#include "sim/tally.h"
#include "sim/verdict.h"

namespace sluice::sim {

class Fairness final {
 public:
  Fairness(const Scenario& scenario, Verdict& verdict) : scenario_(scenario), verdict_(verdict) {}

  // After a step. `longest`: that any generation starved so far.
  void stepped(const Book& book, const Tally& keys, Duration longest, TimePoint now);

  double worst() const { return worst_; }  // difference / bound

 private:
  bool both_want_more(const Book& book) const;
  double bound(Duration longest) const;

  const Scenario& scenario_;
  Verdict& verdict_;
  bool over_ = false;  // one of them had enough
  double worst_ = 0;
};

}  // namespace sluice::sim
