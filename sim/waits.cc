#include "sim/waits.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sim/ageing.h"

namespace sluice::sim {
namespace {

using namespace std::chrono_literals;

constexpr int kWorthOverCost = 10;
constexpr double kGuessedMoveUs = 5, kGuessedRowUs = 5000;  // the engine's, before it has seen any

// As predicted at the worst: learned from samples, or guessed before.
Duration worst_move(const Scenario& s) {
  const MachineSpec& m = s.machine;
  const double slow = 1 + m.noise, hiccup = m.hiccups > 0 ? m.hiccup : 1;
  const double move = 2 * s.config.window * std::max(kGuessedMoveUs, slow * m.move_us);
  const double row = std::max(kGuessedRowUs, slow * hiccup * (m.row_us + m.depth_us + m.pass_us / 2));
  return from_us(std::max(move, row));
}

uint64_t parked_max(const engine::EngineConfig& config) {
  return config.parked_tokens_max > 0 ? config.parked_tokens_max : uint64_t{config.lanes} * config.window;
}

bool feeds(const engine::StepPlan& plan, GenerationId id) {
  return std::ranges::any_of(plan.calls, [id](const engine::PlannedCall& call) {
    return std::ranges::count(call.feeds, id, &engine::PlannedFeed::generation) > 0;
  });
}

bool imports(const engine::StepPlan& plan, GenerationId id) {
  return std::ranges::any_of(plan.moves, [id](const engine::KvMove& move) {
    const auto* import = std::get_if<engine::ImportKv>(&move);
    return import != nullptr && import->generation == id;
  });
}

template <class Move>
bool any_of(const engine::StepPlan& plan) {
  return std::ranges::any_of(plan.moves, [](const auto& m) { return std::holds_alternative<Move>(m); });
}

}  // namespace

Waits::Waits(const Scenario& scenario, const KvModel& kv, Verdict& verdict)
    : scenario_(scenario), kv_(kv), verdict_(verdict), move_(worst_move(scenario)) {}

void Waits::accepted(const Record& record) {
  keys_.enter(record.spec.key);
  if (record.spec.session != 0) sessions_.enter(record.spec.session);
}

void Waits::ended(const Record& record) {
  keys_.leave(record.spec.key);
  if (record.spec.session != 0) sessions_.leave(record.spec.session);
}

void Waits::served(Record& record, Position before, Position after, TimePoint now) {
  if (after <= before) return;
  const auto prompt = std::clamp(static_cast<Position>(record.spec.prompt.size()), before, after);
  const auto tokens = static_cast<uint64_t>(prompt - before) + 2 * static_cast<uint64_t>(after - prompt);
  Duration& longest = longest_[record.cls()];
  longest = std::max(longest, now - record.starved_since);
  record.service += tokens;
  record.starved_since = now;
  record.paused = false;
  keys_.charge(record.spec.key, tokens);
  if (record.spec.session != 0) sessions_.charge(record.spec.session, tokens);
}

Duration Waits::bound(const Record& r) const { return std::max(moves_up_in(r), kWorthOverCost * move_); }

// Until it counts as the best.
Duration Waits::moves_up_in(const Record& r) const {
  uint64_t level = std::max({lead_level(keys_.lead(r.spec.key)), bucket(r.service), bucket(r.spec.prompt.size())});
  if (r.spec.session != 0) level = std::max(level, lead_level(sessions_.lead(r.spec.session)));
  const Duration step = r.paused && r.place != Place::running ? kPausedStep : kStep;
  return std::max(kStep * std::max(1, static_cast<int>(r.cls())), step * static_cast<int64_t>(level));
}

bool Waits::is_behind_its_own(const Record& record, Duration bound) const {
  const Group group = group_of(record);
  const auto lost = lost_at_.find(group);
  return groups_.contains(group) || groups_before_.contains(group) ||
         (lost != lost_at_.end() && now_ - lost->second < bound);
}

bool Waits::is_first(const Book& book, const Record& record) const {
  for (const Record* earlier : book.live()) {
    if (earlier->id >= record.id) return true;
    if (earlier->place == Place::running || earlier->spec.cls != record.spec.cls) continue;
    const Duration bound = moves_up_in(*earlier);
    if (group_of(*earlier) != group_of(record) && is_behind_its_own(*earlier, bound)) continue;
    if (now_ - earlier->starved_since >= bound) return false;
  }
  return true;
}

bool Waits::class_is_full(const Book& book, Class cls) const {
  const uint32_t most = scenario_.config.class_lanes[static_cast<size_t>(cls)];
  const auto running = std::ranges::count_if(
      book.live(), [cls](const Record* r) { return r->place == Place::running && r->spec.cls == cls; });
  return most > 0 && running >= most;
}

// Whether the engine may take a sequence from somebody for it. Where the weather makes moves fail, it may have given
// up. `most`: tokens in host memory.
bool Waits::can_park(const Book& book, const Record& record, uint64_t most) const {
  const auto held = std::ranges::count_if(book.live(), [](const Record* r) { return r->seq.has_value(); });
  if (record.seq || held < scenario_.config.lanes) return true;
  if (!scenario_.config.can_export || scenario_.weather.failed_moves > 0) return false;
  uint64_t parked = scenario_.config.window;
  for (const auto& [id, rows] : kv_.in_host_memory()) parked += rows.size();
  return parked <= most;
}

bool Waits::is_its_turn(const Record& record) const {
  const bool moves = record.place == Place::preempted && !record.seq;
  return !moves || !last_turn_ || now_ - *last_turn_ >= kWorthOverCost * move_;
}

Waits::Group Waits::group_of(const Record& record) { return {record.spec.key, record.cls()}; }

void Waits::find_groups(const Book& book) {
  groups_before_ = std::exchange(groups_, {});
  for (const Record* record : book.live()) {
    if (record->place == Place::running) groups_.insert(group_of(*record));
  }
  for (const Record* record : book.live()) {
    const Group group = group_of(*record);
    if (record->paused && groups_before_.contains(group) && !groups_.contains(group)) lost_at_[group] = now_;
  }
}

void Waits::planned(const Book& book, const engine::StepPlan& plan, TimePoint now) {
  now_ = now;
  if (plan.empty()) return;
  find_groups(book);
  if (any_of<engine::ImportKv>(plan)) last_turn_ = now;
  for (const Record* record : book.live()) {
    Duration& longest = longest_[record->cls()];
    longest = std::max(longest, now - record->starved_since);
    if (now - record->starved_since < bound(*record)) continue;
    record->place == Place::running ? check_with_lane(plan, *record) : check_without_lane(book, plan, *record);
  }
}

void Waits::check_without_lane(const Book& book, const engine::StepPlan& plan, const Record& record) {
  if (!is_first(book, record) || !is_its_turn(record)) return;
  const bool full = class_is_full(book, record.spec.cls);
  const bool behind_its_own = is_behind_its_own(record, bound(record));
  const uint64_t all = parked_max(scenario_.config);
  const uint64_t half = std::min(all, std::max<uint64_t>(scenario_.config.window, all / 2));
  const bool has_room = can_park(book, record, behind_its_own ? half : all);
  const bool could = has_room && !any_of<engine::ExportKv>(plan);
  for (const Record* later : book.live()) {
    if (later->id <= record.id || later->place != Place::running) continue;
    if (behind_its_own && group_of(*later) != group_of(record)) continue;
    const bool leaves_room = !has_room && imports(plan, later->id);
    if (later->arrived && !full && !leaves_room) fail(record, later, " got a lane before it");
    const bool long_work = bucket(later->service) > 0 && now_ - later->starved_since < kStep && !later->paused;
    const bool in_its_way = long_work && (!full || later->spec.cls == record.spec.cls);
    if (!later->arrived && could && in_its_way) fail(record, later, " keeps its lane");
  }
}

void Waits::check_with_lane(const engine::StepPlan& plan, const Record& record) {
  if (feeds(plan, record.id)) return;
  bool any = false;
  for (const engine::PlannedCall& call : plan.calls) {
    if (call.kind == engine::CallKind::decode) continue;
    any = true;
    for (const engine::PlannedFeed& feed : call.feeds) {
      if (feed.generation <= record.id) continue;
      fail(record, nullptr, " and the prompt of a later arrival gets rows");
    }
  }
  if (!any) fail(record, nullptr, " and no prompt gets rows");
}

void Waits::fail(const Record& record, const Record* later, const char* what) {
  const auto seconds = [](Duration d) { return std::to_string(to_seconds(d)) + " s"; };
  const std::string who = later != nullptr ? ", and generation " + std::to_string(later->id.raw) : std::string();
  verdict_.fail("a wait is bounded", std::string(name_of(record.spec.cls)) + " generation " +
                                         std::to_string(record.id.raw) + " got nothing for " +
                                         seconds(now_ - record.starved_since) + ", more than " +
                                         seconds(bound(record)) + who + what);
}

}  // namespace sluice::sim
