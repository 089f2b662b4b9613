// Whoever wants to know how a worker's generations stand: one at a time, so that one Look is under way at most. Where
// no answer comes in limits::look_time_max, because a step takes long or the worker is gone, it is told that nothing is
// known. Refuses to know how a Look travels. Thread: core. Lifetime: its WorkerClient's.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/standing.h"
#include "supervisor/alarm.h"

namespace sluice::supervisor {

class Looks final {
 public:
  using Answer = std::optional<std::vector<Standing>>;  // absent: nothing is known
  using Done = std::function<void(const Answer&)>;

  Looks(boost::asio::io_context& core, Duration time_max) : time_max_(time_max), alarm_(core) {}

  uint64_t ask(Done done);                                           // the number of the Look that is to be sent
  void on_answer(uint64_t number, std::vector<Standing> standings);  // one that nobody waits for is dropped
  void give_up();
  void clear();  // nobody is told

 private:
  void tell(const Answer& answer);

  const Duration time_max_;
  Alarm alarm_;
  Done waiting_;  // empty: nobody asks
  uint64_t last_ = 0;
};

}  // namespace sluice::supervisor
