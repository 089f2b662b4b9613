#include "engine/cut.h"

#include <algorithm>

#include "base/check.h"

namespace sluice::engine {
namespace {

bool leaves_a_prompt_row_alone(const Extent& e, const CutRules& rules) {
  return rules.rows_max >= 3 && e.computed < e.prompt && rows_wanted(e, rules) == 1;
}

Position ideal_resume_point(const Extent& e, const CutRules& rules) {
  const Position last_pair = std::max(e.prompt - 2, 0);
  if (e.computed == e.known) return e.known == e.prompt ? last_pair : e.known - 1;
  return leaves_a_prompt_row_alone(e, rules) ? last_pair : e.computed;
}

}  // namespace

Position resume_point(const Extent& extent, const CutRules& rules) {
  CHECK(extent.prompt > 0 && extent.prompt <= extent.known && extent.computed <= extent.known);
  const Position ideal = ideal_resume_point(extent, rules);
  return ideal == extent.computed || rules.can_truncate ? ideal : 0;
}

Position rows_wanted(const Extent& extent, const CutRules& rules) {
  CHECK(extent.computed < extent.known);
  if (rules.decode_equals_prefill) return extent.known - extent.computed;
  return extent.computed < extent.prompt ? extent.prompt - extent.computed : 1;
}

bool decodes(const Extent& extent, const CutRules& rules) {
  return extent.computed >= extent.prompt && rows_wanted(extent, rules) == 1;
}

Position piece_rows(Position wanted, Position budget, const CutRules& rules) {
  CHECK(wanted > 0 && rules.rows_max > 0);
  const Position rows = std::min({wanted, std::max(budget, 2), rules.rows_max});
  if (wanted - rows != 1) return rows;
  if (rows > 2) return rows - 1;
  return std::min(rows + 1, rules.rows_max);
}

}  // namespace sluice::engine
