#include "engine/in_time.h"

#include <algorithm>
#include <optional>
#include <string>

#include "engine/forecast.h"
#include "engine/kept.h"
#include "engine/order.h"

namespace sluice::engine {
namespace {

constexpr int kTimesAsFast = 2;  // a machine that is as fast; or larger calls than were measured (fastest_row)
constexpr auto kRetryAfterMax = std::chrono::seconds(3600);

struct Rows {
  uint64_t own = 0;
  std::vector<Ahead> ahead;
};

class InTime final {
 public:
  InTime(const Generation& newcomer, const Roster& roster, const Sequences& sequences, const EngineConfig& config,
         Duration row, TimePoint now)
      : newcomer_(newcomer), roster_(roster), sequences_(sequences), config_(config), row_(row), now_(now) {}

  Result<void> check() {
    if (!newcomer_.time_left(now_) && !foretold_lane()) return {};
    find_those_before();
    if (!late_by(rows_with({}))) return {};
    const Rows without_shared = rows_with(shared());
    const auto late = late_by(without_shared);
    if (!late) return {};
    const auto alone = late_by({without_shared.own, {}});
    return alone ? prompt_too_long(without_shared.own) : queue_too_long(without_shared, *late);
  }

 private:
  // As if nobody had waited, or had a lane: whoever is ahead for its age alone is not once it has got a row, and lanes
  // come and go.
  Claim claim_of(const Generation& g) const {
    Claim claim = roster_.claim_of(g, g.prompt_tokens() - computed(g), now_);
    claim.starved = {};
    claim.paused = false;
    claim.key.lanes = claim.session.lanes = 1;
    return claim;
  }

  uint64_t computed(const Generation& g) const {
    return std::min<uint64_t>(static_cast<uint64_t>(kept_tokens(g, sequences_)), g.prompt_tokens());
  }

  // Those whose class has no more lanes may have to wait while the newcomer does not. So may those that had a lane and
  // gave way: coming back has a price, and is worth the less the more they got.
  void find_those_before() {
    const Rank mine = rank_of(claim_of(newcomer_));
    for (const auto list : {roster_.running(), roster_.waiting()}) {
      for (const Generation* g : list) {
        const bool bounded = config_.class_lanes[static_cast<size_t>(g->cls())] > 0 && g->cls() != newcomer_.cls();
        if (g != &newcomer_ && !bounded && rank_of(claim_of(*g)) < mine) before_.push_back(g);
      }
    }
  }

  // Of the newcomer, then of those before it: what others have, or will.
  std::vector<size_t> shared() const {
    std::vector<std::span<const Token>> texts{newcomer_.known()};
    for (const Generation* g : before_) texts.emplace_back(g->known());
    for (const Sequence& s : sequences_.all()) texts.emplace_back(s.tokens);
    return shared_with_another(texts);
  }

  uint64_t rows_of(const Generation& g, size_t had) const {
    return g.prompt_tokens() - std::min<uint64_t>(g.prompt_tokens(), std::max<uint64_t>(computed(g), had));
  }

  Rows rows_with(const std::vector<size_t>& shared_by) const {
    const auto shared_of = [&](size_t text) { return shared_by.empty() ? 0 : shared_by[text]; };
    Rows out{std::max<uint64_t>(1, rows_of(newcomer_, shared_of(0))), {}};
    for (size_t i = 0; i < before_.size(); ++i) {
      const Generation& g = *before_[i];
      const bool same_key = g.key() == newcomer_.key();
      const uint64_t session = same_key && g.session() != newcomer_.session() ? g.session() : 0;
      const uint64_t rows = rows_of(g, shared_of(1 + i));
      if (rows == 0) continue;
      out.ahead.push_back(
          {.rows = rows, .claim = claim_of(g), .turn = {same_key ? 0 : g.key() + 1, session}, .of_same_key = same_key});
    }
    return out;
  }

  // A later one may go to whoever has aged meanwhile: nothing is foretold of it.
  std::optional<Duration> foretold_lane() const {
    const auto lane = newcomer_.lane_within();
    return lane && *lane < kStep ? lane : std::nullopt;
  }

  Duration least_time(uint64_t rows) const { return row_ * static_cast<int64_t>(rows) / kTimesAsFast; }

  std::optional<Duration> late_by(const Rows& rows) const {
    const Claim claim = claim_of(newcomer_);
    Duration late{};
    if (const auto left = newcomer_.time_left(now_))
      late = std::max(late, least_time(rows_before_first_token(rows.own, claim, rows.ahead)) - *left);
    if (const auto lane = foretold_lane())
      late = std::max(late, least_time(rows_before_lane(config_.lanes, claim, rows.ahead)) - *lane);
    return late > Duration{} ? std::optional(late) : std::nullopt;
  }

  Result<void> prompt_too_long(uint64_t own) const {
    return fail(ErrorCode::timed_out, "its prompt has " + std::to_string(own) + " tokens to be read, which takes " +
                                          "longer than the time that the request gives its answer");
  }

  Result<void> queue_too_long(Rows rows, Duration late) const {
    const size_t all = rows.ahead.size();
    const size_t of_its_key = std::erase_if(rows.ahead, [](const Ahead& one) { return one.of_same_key; });
    const bool by_its_key = newcomer_.key() != 0 && !late_by(rows);
    const auto retry = std::clamp(std::chrono::ceil<std::chrono::seconds>(late), std::chrono::seconds(1),
                                  std::chrono::seconds(kRetryAfterMax));
    const std::string before =
        by_its_key ? std::to_string(of_its_key) + " of its key" : std::to_string(all) + " others";
    return std::unexpected(Error{
        by_its_key ? ErrorCode::key_queue_too_long : ErrorCode::queue_too_long,
        "it cannot begin in time, as " + before + " go before it; try again in " + std::to_string(retry.count()) + " s",
        {},
        retry});
  }

  const Generation& newcomer_;
  const Roster& roster_;
  const Sequences& sequences_;
  const EngineConfig& config_;
  const Duration row_;
  const TimePoint now_;
  std::vector<const Generation*> before_;
};

}  // namespace

Result<void> check_in_time(const Generation& newcomer, const Roster& roster, const Sequences& sequences,
                           const CostModel& costs, const EngineConfig& config, TimePoint now) {
  const Duration call = std::max(config.chunk_time, 2 * costs.prefill_call());  // it takes as much at most, as planned
  const std::optional<Duration> row = costs.fastest_row(call, config.call_tokens);
  if (!row) return {};
  return InTime(newcomer, roster, sequences, config, *row, now).check();
}

}  // namespace sluice::engine
