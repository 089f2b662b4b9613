// How a generation's tokens may be cut into pieces without changing its answer. A runtime gives the same results for
// every cut into pieces of two rows or more, while a row computed alone may go through other kernels: so no row of a
// prompt is computed alone where that can be avoided, and where single rows differ (decode_equals_prefill is false) the
// rows of an answer are always computed alone. Refuses to know time and sequences. Thread: any (pure).
#pragma once

#include "core/core.h"

namespace sluice::engine {

struct CutRules {
  bool can_truncate = true;
  bool decode_equals_prefill = true;
  Position rows_max = 0;  // of one call; with fewer than 3, single rows cannot be avoided and are not
};

// Tokens of one generation: `known` are prompt and answer so far, the first `computed` have KV.
struct Extent {
  Position prompt = 0;
  Position known = 0;
  Position computed = 0;
};

// The computed tokens to keep, so that what is left to compute ends with the row whose logits are wanted and holds no
// prompt row alone: `computed`, or a little less, or nothing where the runtime cannot truncate.
Position resume_point(const Extent& extent, const CutRules& rules);

// Rows from `computed` on that may be computed as one piece, were there no limits.
Position rows_wanted(const Extent& extent, const CutRules& rules);

// Whether what is wanted next is one row of its answer.
bool decodes(const Extent& extent, const CutRules& rules);

// A piece of `wanted` rows: about `budget`, at most rules.rows_max, leaving no single row behind. 2 and 3 rows may
// exceed the budget: smaller pieces would be, or leave, single rows.
Position piece_rows(Position wanted, Position budget, const CutRules& rules);

}  // namespace sluice::engine
