#include "engine/adjacency.h"

#include <algorithm>
#include <cstdlib>

#include "base/check.h"

namespace sluice::engine {
namespace {

constexpr int32_t kIds = limits::sequences_max;

bool has(const IdSet& ids, int32_t id) { return id >= 0 && id < kIds && ids.test(static_cast<size_t>(id)); }

// The unbroken run of members from `id` on, in direction `step`.
IdSet run_from(const IdSet& ids, SequenceId id, int32_t step) {
  IdSet run;
  for (int32_t i = id.raw; has(ids, i); i += step) run.set(static_cast<size_t>(i));
  return run;
}

}  // namespace

uint32_t runs_of(const IdSet& ids) { return static_cast<uint32_t>((ids & ~(ids << 1)).count()); }

IdSet first_run(const IdSet& ids) { return run_from(ids, lowest(ids), 1); }

IdSet last_run(const IdSet& ids) { return run_from(ids, highest(ids), -1); }

SequenceId lowest(const IdSet& ids) {
  CHECK(ids.any());
  int32_t id = 0;
  while (!has(ids, id)) ++id;
  return SequenceId{id};
}

SequenceId highest(const IdSet& ids) {
  CHECK(ids.any());
  int32_t id = kIds - 1;
  while (!has(ids, id)) --id;
  return SequenceId{id};
}

IdSet with(IdSet ids, SequenceId id) { return ids.set(static_cast<size_t>(id.raw)); }

IdSet without(IdSet ids, SequenceId id) { return ids.reset(static_cast<size_t>(id.raw)); }

uint32_t distance(const IdSet& ids, SequenceId id) {
  if (ids.none()) return 0;
  int32_t away = 0;
  while (!has(ids, id.raw - away) && !has(ids, id.raw + away)) ++away;
  return static_cast<uint32_t>(away);
}

}  // namespace sluice::engine
