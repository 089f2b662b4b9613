#include "engine/planner.h"

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "engine/compaction.h"
#include "engine/depth_groups.h"

namespace sluice::engine {
namespace {

// A further prefill call of a step that would not finish its prompt is left for the next step when it is smaller:
// every call has a price of its own.
constexpr Position kCrumbRows = 32;

bool is_decoding(const Runner& r, const EngineConfig& config) { return decodes(r.extent, config.cut_rules()); }

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

  StepPlan build(std::vector<KvMove> first, bool may_copy) {
    plan_.moves = std::move(first);
    if (runners_.empty()) return std::move(plan_);
    for (const KvMove& move : plan_.moves) {
      if (const auto* exported = std::get_if<ExportKv>(&move)) plan_.predicted += costs_.export_of(exported->upto);
    }
    drop_lost();
    for (const Runner& r : runners_) seed(r);
    if (may_copy) copy_one();
    const Duration moving = plan_.predicted;
    plan_decode();
    plan_prefill(prefill_time(moving));
    CHECK(!plan_.calls.empty());
    return std::move(plan_);
  }

 private:
  void drop_lost() {
    for (int32_t i = 0; i < static_cast<int32_t>(sequences_.size()); ++i) {
      if (sequences_.at({i}).lost) plan_.moves.emplace_back(DropKv{{i}});
    }
  }

  // Its sequence comes to hold what its extent says.
  void seed(const Runner& r) {
    const Position upto = r.extent.computed;
    if (r.imported > 0) {
      plan_.moves.emplace_back(ImportKv{r.generation, r.seq, r.imported});
      plan_.predicted += costs_.import_of(r.imported);
    }
    const Position held = r.imported > 0 ? r.imported : sequences_.at(r.seq).computed();
    CHECK(upto <= held);
    if (upto == held) return;
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
      if (is_decoding(r, config_)) feeds.push_back(feed_of(r, 1));
    }
    if (feeds.empty()) return;
    std::ranges::sort(feeds, {}, &PlannedFeed::seq);
    for (const auto& group : group_by_depth(std::move(feeds), costs_, config_.adjacent_ids_per_pass)) {
      for (size_t begin = 0; begin < group.size(); begin += config_.call_tokens) {
        const size_t end = std::min(group.size(), begin + config_.call_tokens);
        add(CallKind::decode,
            {group.begin() + static_cast<ptrdiff_t>(begin), group.begin() + static_cast<ptrdiff_t>(end)});
      }
    }
  }

  // For all prefill calls of the step. Those that decode ask for a pace, of which what is planned already is spent.
  Duration prefill_time(Duration moving) const {
    Duration time = config_.chunk_time - moving;
    for (const Runner& r : runners_) {
      if (!is_decoding(r, config_)) continue;
      const Duration pace = pace_of(r.claim.cls);
      time = std::min(time, std::max(pace - plan_.predicted, pace / 4));
    }
    return time;
  }

  // Who asks for none still does not wait longer than a chunk takes.
  Duration pace_of(Class cls) const {
    const Duration asked = config_.pace[static_cast<size_t>(cls)];
    return asked > Duration{} ? std::min(asked, config_.chunk_time) : config_.chunk_time;
  }

  // One sequence's piece a call: a pass takes equal rows of its sequences, and pieces seldom are. A prompt that is done
  // is not held up by the pieces of others.
  void plan_prefill(Duration left) {
    std::vector<std::pair<Rank, const Runner*>> prompts;
    for (const Runner& r : runners_) {
      if (!is_decoding(r, config_)) prompts.emplace_back(rank_of(r.claim), &r);
    }
    std::ranges::sort(prompts, {}, &std::pair<Rank, const Runner*>::first);
    bool first = true, any_done = false;
    for (const auto& [rank, r] : prompts) {
      const std::optional<Position> rows = first ? leading_piece(*r, left) : further_piece(*r, left);
      if (!rows || (any_done && *rows < wanted(*r))) return;
      left -= add(CallKind::prefill, {feed_of(*r, *rows)});
      first = false;
      any_done = any_done || *rows == wanted(*r);
    }
  }

  // The first piece of a step always goes, however slow a row is: somebody must get on. Where a call takes longer than
  // all that there is time for, its rows may take as long again: with fewer there would only be more calls.
  std::optional<Position> leading_piece(const Runner& r, Duration left) const {
    const Duration call = costs_.prefill_call();
    const Duration least = call > config_.chunk_time ? 2 * call : Duration{};
    return piece_rows(wanted(r), affordable(r, std::max(left, least)), config_.cut_rules());
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
                   std::vector<KvMove> first, std::vector<Runner> runners, bool may_copy) {
  return Planner(config, costs, sequences, std::move(runners)).build(std::move(first), may_copy);
}

}  // namespace sluice::engine
