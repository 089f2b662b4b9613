#include "supervisor/looks.h"

#include <utility>

#include "base/check.h"

namespace sluice::supervisor {

uint64_t Looks::ask(Done done) {
  CHECK(!waiting_);
  waiting_ = std::move(done);
  alarm_.after(time_max_, [this] { give_up(); });
  return ++last_;
}

void Looks::on_answer(uint64_t number, std::vector<Standing> standings) {
  if (number == last_) tell(std::move(standings));
}

void Looks::give_up() { tell(std::nullopt); }

void Looks::clear() {
  alarm_.cancel();
  waiting_ = nullptr;
}

// Whoever is told may ask again.
void Looks::tell(const Answer& answer) {
  alarm_.cancel();
  if (const Done done = std::exchange(waiting_, nullptr)) done(answer);
}

}  // namespace sluice::supervisor
