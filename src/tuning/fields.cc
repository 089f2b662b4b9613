#include "tuning/fields.h"

#include <fmt/format.h>

#include "base/limits.h"

namespace sluice::tuning {
namespace {

namespace json = boost::json;

constexpr int64_t kUnixSecondsMax = 253402300799;  // the year 9999

}  // namespace

std::string Fields::text(const char* name) {
  const json::value* value = object_->if_contains(name);
  if (value && value->is_string()) return {value->as_string().begin(), value->as_string().end()};
  wrong(name);
  return {};
}

bool Fields::flag(const char* name) {
  const json::value* value = object_->if_contains(name);
  if (value && value->is_bool()) return value->as_bool();
  wrong(name);
  return false;
}

int64_t Fields::number(const char* name, int64_t least, int64_t most) {
  const json::value* value = object_->if_contains(name);
  if (value && value->is_int64() && value->as_int64() >= least && value->as_int64() <= most) return value->as_int64();
  wrong(name);
  return least;
}

double Fields::real(const char* name) {
  const json::value* value = object_->if_contains(name);
  if (value && value->is_number()) return value->to_number<double>();
  wrong(name);
  return 0;
}

int64_t Fields::unix_seconds(const char* name) { return number(name, 0, kUnixSecondsMax); }

void Fields::wrong(const char* name) {
  if (wrong_.empty()) wrong_ = name;
}

Result<void> Fields::verdict() const {
  if (wrong_.empty()) return {};
  return fail(ErrorCode::invalid, fmt::format("its {} is missing or impossible", wrong_));
}

json::object object_of(const Key& key) {
  return {{"model", key.model},
          {"build", key.build},
          {"runtime", key.runtime},
          {"machine", key.machine},
          {"device", key.device},
          {"gpu_layers", key.gpu_layers},
          {"cache_type_k", key.cache_type_k},
          {"cache_type_v", key.cache_type_v}};
}

Key key_in(Fields& fields) {
  Key key;
  key.model = fields.text("model");
  key.build = fields.text("build");
  key.runtime = fields.text("runtime");
  key.machine = fields.text("machine");
  key.device = fields.text("device");
  key.gpu_layers = static_cast<int32_t>(fields.number("gpu_layers", -1, limits::gpu_layers_max));
  key.cache_type_k = fields.text("cache_type_k");
  key.cache_type_v = fields.text("cache_type_v");
  return key;
}

}  // namespace sluice::tuning
