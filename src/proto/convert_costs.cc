#include "proto/convert.h"

namespace sluice::proto {
namespace {

void put(const sluice::CallCosts& costs, CallCosts& message) {
  message.set_pass_us(costs.pass_us);
  message.set_row_us(costs.row_us);
  message.set_deep_row_us(costs.deep_row_us);
  message.set_samples(costs.samples);
}

void put(const sluice::UnitCost& cost, UnitCost& message) {
  message.set_us(cost.us);
  message.set_samples(cost.samples);
}

sluice::CallCosts call_costs_of(const CallCosts& message) {
  return {message.pass_us(), message.row_us(), message.deep_row_us(), message.samples()};
}

sluice::UnitCost unit_cost_of(const UnitCost& message) { return {message.us(), message.samples()}; }

}  // namespace

Costs to_message(const sluice::Costs& costs) {
  Costs message;
  put(costs.prefill, *message.mutable_prefill());
  put(costs.decode, *message.mutable_decode());
  message.set_prefill_rows(costs.prefill_rows);
  put(costs.copy, *message.mutable_copy());
  put(costs.export_token, *message.mutable_export_token());
  put(costs.import_token, *message.mutable_import_token());
  return message;
}

Result<sluice::Costs> from_message(const Costs& message) {
  const sluice::Costs costs{.prefill = call_costs_of(message.prefill()),
                            .decode = call_costs_of(message.decode()),
                            .prefill_rows = message.prefill_rows(),
                            .copy = unit_cost_of(message.copy()),
                            .export_token = unit_cost_of(message.export_token()),
                            .import_token = unit_cost_of(message.import_token())};
  if (!is_possible(costs)) return fail(ErrorCode::protocol, "costs that no machine has", "costs");
  return costs;
}

}  // namespace sluice::proto
