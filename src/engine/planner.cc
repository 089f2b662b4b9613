#include "engine/planner.h"

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "engine/compaction.h"

namespace sluice::engine {
namespace {

// A further prefill call of a step that would not finish its prompt is left for the next step when it is smaller:
// every call has a price of its own.
constexpr Position kCrumbRows = 32;

bool decodes(const Runner& r, const EngineConfig& config) {
  return r.extent.computed >= r.extent.prompt && rows_wanted(r.extent, config.cut_rules()) == 1;
}

PlannedFeed feed_of(const Runner& r, Position rows) {
  const Position first = r.extent.computed;
  return {.generation = r.generation,
          .seq = r.seq,
          .first = first,
          .tokens = r.known.subspan(static_cast<size_t>(first), static_cast<size_t>(rows)),
          .sample = first + rows == r.extent.known};
}

class Planner {
 public:
  Planner(const EngineConfig& config, const CostModel& costs, const Sequences& sequences, std::vector<Runner> runners)
      : config_(config), costs_(costs), sequences_(sequences), runners_(std::move(runners)) {}

  StepPlan build(bool may_copy) {
    if (runners_.empty()) return {};
    drop_lost();
    for (const Runner& r : runners_) cut_to_extent(r);
    if (may_copy) copy_one();
    plan_decode();
    plan_prefill();
    CHECK(!plan_.calls.empty());
    return std::move(plan_);
  }

 private:
  void drop_lost() {
    for (int32_t i = 0; i < static_cast<int32_t>(sequences_.size()); ++i) {
      if (sequences_.at({i}).lost) plan_.moves.emplace_back(DropKv{{i}});
    }
  }

  void cut_to_extent(const Runner& r) {
    const Position upto = r.extent.computed;
    CHECK(upto <= sequences_.at(r.seq).computed());
    if (upto == sequences_.at(r.seq).computed()) return;
    if (upto == 0) {
      plan_.moves.emplace_back(DropKv{r.seq});
    } else {
      plan_.moves.emplace_back(TruncateKv{r.seq, upto});
    }
  }

  // The source is dropped: its KV has moved.
  void copy_one() {
    const std::optional<CopyKv> copy = choose_copy(sequences_, runners_, costs_);
    if (!copy) return;
    plan_.moves.emplace_back(*copy);
    plan_.moves.emplace_back(DropKv{copy->from});
    plan_.predicted += costs_.copy();
    std::ranges::find(runners_, copy->from, &Runner::seq)->seq = copy->to;
  }

  void plan_decode() {
    std::vector<PlannedFeed> feeds;
    for (const Runner& r : runners_) {
      if (decodes(r, config_)) feeds.push_back(feed_of(r, 1));
    }
    std::ranges::sort(feeds, {}, &PlannedFeed::seq);
    for (size_t begin = 0; begin < feeds.size(); begin += config_.call_tokens) {
      const size_t end = std::min(feeds.size(), begin + config_.call_tokens);
      add(CallKind::decode,
          {feeds.begin() + static_cast<ptrdiff_t>(begin), feeds.begin() + static_cast<ptrdiff_t>(end)});
    }
  }

  // One sequence's piece a call: a pass takes equal rows of its sequences, and pieces seldom are.
  void plan_prefill() {
    Duration left = config_.chunk_time;
    bool first = true;
    for (const Runner& r : runners_) {
      if (decodes(r, config_)) continue;
      const std::optional<Position> rows = first ? leading_piece(r, left) : further_piece(r, left);
      if (!rows) return;
      left -= add(CallKind::prefill, {feed_of(r, *rows)});
      first = false;
    }
  }

  // The first piece of a step always goes, however slow a row is: somebody must get on.
  std::optional<Position> leading_piece(const Runner& r, Duration left) const {
    return piece_rows(wanted(r), affordable(r, left), config_.cut_rules());
  }

  std::optional<Position> further_piece(const Runner& r, Duration left) const {
    const Position rows = *leading_piece(r, left);
    const bool crumb = rows < wanted(r) && rows < kCrumbRows;
    if (crumb || rows > affordable(r, left)) return std::nullopt;
    return rows;
  }

  Position wanted(const Runner& r) const { return rows_wanted(r.extent, config_.cut_rules()); }

  Position affordable(const Runner& r, Duration left) const {
    const auto first = static_cast<uint32_t>(r.extent.computed);
    return static_cast<Position>(costs_.prefill_rows_within(left, first, config_.call_tokens));
  }

  Duration add(CallKind kind, std::vector<PlannedFeed> feeds) {
    PlannedCall call{.kind = kind, .feeds = std::move(feeds)};
    call.predicted = costs_.predict(kind, shape_of(call, config_.adjacent_ids_per_pass));
    plan_.predicted += call.predicted;
    plan_.calls.push_back(std::move(call));
    return plan_.calls.back().predicted;
  }

  const EngineConfig& config_;
  const CostModel& costs_;
  const Sequences& sequences_;
  std::vector<Runner> runners_;
  StepPlan plan_;
};

}  // namespace

StepPlan plan_step(const EngineConfig& config, const CostModel& costs, const Sequences& sequences,
                   std::vector<Runner> runners, bool may_copy) {
  return Planner(config, costs, sequences, std::move(runners)).build(may_copy);
}

}  // namespace sluice::engine
