#include "core/costs.h"

#include "base/limits.h"

namespace sluice {
namespace {

constexpr double kCostUsMax = std::chrono::duration<double, std::micro>(limits::cost_time_max).count();

bool is_time(double us) { return us >= 0 && us <= kCostUsMax; }  // which no NaN is

}  // namespace

bool is_possible(const CallCosts& c) {
  const bool takes_time = c.pass_us + c.row_us + c.deep_row_us > 0;
  return is_time(c.pass_us) && is_time(c.row_us) && is_time(c.deep_row_us) && takes_time == (c.samples > 0);
}

bool is_possible(const UnitCost& c) { return is_time(c.us) && (c.us > 0) == (c.samples > 0); }

bool is_possible(const Costs& c) {
  return is_possible(c.prefill) && is_possible(c.decode) && c.prefill_rows <= limits::batch_tokens_max &&
         is_possible(c.copy) && is_possible(c.export_token) && is_possible(c.import_token);
}

}  // namespace sluice
