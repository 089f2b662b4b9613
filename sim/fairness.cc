#include "sim/fairness.h"

#include <algorithm>
#include <string>

#include "sim/ageing.h"

namespace sluice::sim {
namespace {

using namespace std::chrono_literals;

constexpr double kAnswerWeight = 2;
constexpr double kWorthOverCost = 10;
constexpr double kGuessedMoveUs = 5;

}  // namespace

bool Fairness::both_want_more(const Book& book) const {
  const auto waits = [&](uint32_t key) {
    return std::ranges::any_of(book.live(),
                               [key](const Record* r) { return r->spec.key == key && r->place != Place::running; });
  };
  return waits(1) && waits(2);
}

double Fairness::bound(Duration longest) const {
  const engine::EngineConfig& c = scenario_.config;
  const MachineSpec& m = scenario_.machine;
  double most = 0;  // weighted tokens of one generation
  for (const ClientSpec& client : scenario_.clients) {
    most = std::max(most, client.prompt.high + kAnswerWeight * client.answer.high);
  }
  const double move = 2 * c.window * std::max(kGuessedMoveUs, m.move_us * (1 + m.noise)) / m.row_us;
  return kQuantum * (1 + to_seconds(longest) / to_seconds(kPausedStep)) + kWorthOverCost * move + c.lanes * most;
}

void Fairness::stepped(const Book& book, const Tally& keys, Duration longest, TimePoint now) {
  if (scenario_.shape != Shape::two_keys || over_) return;
  over_ = now.time_since_epoch() > scenario_.length || !both_want_more(book);
  if (over_) return;
  const auto difference = static_cast<double>(std::max(keys.lead(1), keys.lead(2)));
  const double most = bound(longest);
  worst_ = std::max(worst_, difference / most);
  if (difference <= most) return;
  verdict_.fail("keys share", "one key got " + std::to_string(difference) + " weighted tokens more than the other, " +
                                  "which always wanted more; at most " + std::to_string(most));
}

}  // namespace sluice::sim
