// What work on a model costs on a machine, as an engine learned it while it ran: plain values that are told, kept and
// given to the next engine. Refuses to know how they are learned and what they are used for. Thread: any (values).
#pragma once

#include <cstdint>

namespace sluice {

// Of calls of one kind, in microseconds: so much for each pass, for each row, and for each row once more for every 1024
// tokens that it attends to.
struct CallCosts {
  double pass_us = 0, row_us = 0, deep_row_us = 0;
  uint32_t samples = 0;  // that it was learned from; 0: nothing is known, and the others are 0
  bool operator==(const CallCosts&) const = default;
};

struct UnitCost {
  double us = 0;
  uint32_t samples = 0;  // as above
  bool operator==(const UnitCost&) const = default;
};

struct Costs {
  CallCosts prefill, decode;
  uint32_t prefill_rows = 0;            // of the largest prefill call that was seen
  UnitCost copy;                        // of one sequence to another
  UnitCost export_token, import_token;  // a token's KV to host memory, and back
  bool operator==(const Costs&) const = default;
};

// Numbers, not below 0 and not over limits::cost_time_max; what was learned took some time.
bool is_possible(const CallCosts& costs);
bool is_possible(const UnitCost& cost);
bool is_possible(const Costs& costs);

}  // namespace sluice
