#include "engine/placement.h"

#include <algorithm>
#include <tuple>

#include "engine/adjacency.h"
#include "engine/cut.h"

namespace sluice::engine {
namespace {

struct Option {
  SequenceId seq;
  Position keep = 0;
  Position cached = 0;
  uint64_t last_use = 0;
  uint32_t passes = 0;  // of a decode call if the newcomer runs here
  uint32_t away = 0;    // from the nearest running id
};

// Ordered: a lower kind is better.
enum class Kind : uint8_t { continues, empty, replaces };

Kind kind_of(const Option& o) {
  if (o.keep > 0 && 2 * o.keep >= o.cached) return Kind::continues;
  return o.cached == 0 ? Kind::empty : Kind::replaces;
}

auto by_place(const Option& o) { return std::tuple(o.passes, o.away, o.seq); }

bool better(const Option& a, const Option& b) {
  const Kind kind = kind_of(a);
  if (kind != kind_of(b)) return kind < kind_of(b);
  switch (kind) {
    case Kind::continues:
      if (a.keep != b.keep) return a.keep > b.keep;
      break;
    case Kind::empty: break;
    case Kind::replaces:
      if (a.last_use != b.last_use) return a.last_use < b.last_use;
      break;
  }
  return by_place(a) < by_place(b);
}

}  // namespace

// Where single rows differ, nobody else's rows are those of an answer, or of a prompt that is a single row.
Position usable_prefix(const Sequence& sequence, const Wanted& wanted, const EngineConfig& config) {
  const auto mismatch = std::ranges::mismatch(sequence.tokens, wanted.known);
  const auto prompt = static_cast<Position>(wanted.prompt);
  auto common = static_cast<Position>(mismatch.in1 - sequence.tokens.begin());
  if (!config.decode_equals_prefill) common = prompt == 1 ? 0 : std::min({common, sequence.wide_upto, prompt});
  if (!config.can_truncate && common < sequence.computed()) return 0;
  const auto known = static_cast<Position>(wanted.known.size());
  return resume_point({.prompt = prompt, .known = known, .computed = common}, config.cut_rules());
}

std::optional<Placement> choose_sequence(const Sequences& sequences, const Wanted& wanted, const EngineConfig& config) {
  const IdSet held = sequences.held();
  std::optional<Option> best;
  for (int32_t i = 0; i < static_cast<int32_t>(sequences.size()); ++i) {
    const SequenceId id{i};
    const Sequence& s = sequences.at(id);
    if (s.holder) continue;
    const Option option{.seq = id,
                        .keep = usable_prefix(s, wanted, config),
                        .cached = s.computed(),
                        .last_use = s.last_use,
                        .passes = config.adjacent_ids_per_pass ? runs_of(with(held, id)) : 1,
                        .away = config.adjacent_ids_per_pass ? distance(held, id) : 0};
    if (!best || better(option, *best)) best = option;
  }
  if (!best) return std::nullopt;
  return Placement{best->seq, best->keep};
}

}  // namespace sluice::engine
