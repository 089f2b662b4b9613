#include "supervisor/looks.h"

#include <utility>

namespace sluice::supervisor {

std::optional<uint64_t> Looks::ask(Done done) {
  waiting_.push_back(std::move(done));
  if (waiting_.size() > 1) return std::nullopt;
  alarm_.after(time_max_, [this] { give_up(); });
  return ++last_;
}

void Looks::on_answer(uint64_t number, std::vector<Standing> standings) {
  if (number == last_) tell(std::move(standings));
}

void Looks::give_up() { tell(std::nullopt); }

void Looks::clear() {
  alarm_.cancel();
  waiting_.clear();
}

// Whoever is told may ask again.
void Looks::tell(const Answer& answer) {
  alarm_.cancel();
  for (const Done& done : std::exchange(waiting_, {})) done(answer);
}

}  // namespace sluice::supervisor
