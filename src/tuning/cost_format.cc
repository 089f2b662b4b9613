#include "tuning/cost_format.h"

#include <utility>

#include "base/limits.h"
#include "tuning/fields.h"
#include "tuning/sealed.h"

namespace sluice::tuning {
namespace {

namespace json = boost::json;

constexpr Seal kCosts{"sluice-costs", kCostFormatVersion, limits::cost_file_bytes_max};

json::object object_of(const CallCosts& costs) {
  return {{"pass_us", costs.pass_us},
          {"row_us", costs.row_us},
          {"deep_row_us", costs.deep_row_us},
          {"samples", costs.samples}};
}

json::object object_of(const UnitCost& cost) { return {{"us", cost.us}, {"samples", cost.samples}}; }

json::object object_of(const Costs& costs) {
  return {{"prefill", object_of(costs.prefill)},
          {"decode", object_of(costs.decode)},
          {"prefill_rows", costs.prefill_rows},
          {"copy", object_of(costs.copy)},
          {"export_token", object_of(costs.export_token)},
          {"import_token", object_of(costs.import_token)}};
}

json::object object_of(const CostKey& key) {
  json::object object = object_of(key.of);
  object["flash_attention"] = key.flash_attention;
  object["threads"] = key.threads;
  object["batch"] = key.batch;
  object["ubatch"] = key.ubatch;
  return object;
}

CostKey cost_key_in(Fields& fields) {
  return {key_in(fields), fields.text("flash_attention"), fields.count("threads", 0, limits::threads_max),
          fields.count("batch", 1, limits::batch_tokens_max), fields.count("ubatch", 1, limits::batch_tokens_max)};
}

CallCosts call_costs_in(Fields& fields, const char* name) {
  CallCosts costs;
  fields.object(name, [&] {
    costs = {fields.real("pass_us"), fields.real("row_us"), fields.real("deep_row_us"), fields.count("samples")};
  });
  if (!is_possible(costs)) fields.wrong(name);
  return costs;
}

UnitCost unit_cost_in(Fields& fields, const char* name) {
  UnitCost cost;
  fields.object(name, [&] { cost = {fields.real("us"), fields.count("samples")}; });
  if (!is_possible(cost)) fields.wrong(name);
  return cost;
}

Costs costs_in(Fields& fields) {
  return {.prefill = call_costs_in(fields, "prefill"),
          .decode = call_costs_in(fields, "decode"),
          .prefill_rows = fields.count("prefill_rows", 0, limits::batch_tokens_max),
          .copy = unit_cost_in(fields, "copy"),
          .export_token = unit_cost_in(fields, "export_token"),
          .import_token = unit_cost_in(fields, "import_token")};
}

}  // namespace

std::string write(const StoredCosts& stored) {
  return sealed(kCosts, {{"key", object_of(stored.key)}, {"made", stored.made}, {"costs", object_of(stored.costs)}});
}

Result<StoredCosts> read_stored_costs(std::string_view bytes) {
  auto body = opened(kCosts, bytes);
  if (!body) return std::unexpected(std::move(body.error()));
  Fields fields(*body);
  StoredCosts stored;
  fields.object("key", [&] { stored.key = cost_key_in(fields); });
  stored.made = fields.unix_seconds("made");
  fields.object("costs", [&] { stored.costs = costs_in(fields); });
  if (auto read = fields.verdict(); !read) return std::unexpected(std::move(read.error()));
  return stored;
}

}  // namespace sluice::tuning
