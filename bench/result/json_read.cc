#include <fmt/format.h>

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parser.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <limits>

#include "api/openai/fields.h"
#include "base/limits.h"
#include "bench/result/describe.h"
#include "bench/result/format.h"
#include "bench/result/json.h"
#include "bench/result/place.h"

namespace sluice::bench {
namespace result {
namespace {

namespace json = boost::json;

constexpr std::array kRowStates = {RowState::served, RowState::did_not_start, RowState::died};
constexpr std::array kSampleStates = {SampleState::warm_up, SampleState::ok, SampleState::disturbed,
                                      SampleState::voided, SampleState::failed};
constexpr std::array kBetters = {Better::higher, Better::lower, Better::neither};

// Reads described values from a tree. The first thing wrong is kept with its place; whatever is read after it does not
// matter, so that reading is a plain list of fields.
class Reader final {
 public:
  explicit Reader(const json::object& run) : object_(&run) {}

  template <class T>
  void field(std::string_view name, T& out) {
    const auto* found = object_->if_contains(json::string_view(name.data(), name.size()));
    if (!found || error_) return;
    const Place::Step step(place_, name);
    read(*found, out);
  }

  void hex(std::string_view name, uint64_t& out) {
    std::string text;
    field(name, text);
    if (text.empty()) return;
    const Place::Step step(place_, name);
    const auto number = hex_number(text);
    if (!number) return wrong("must be a number in hexadecimal digits");
    out = *number;
  }

  void wrong(std::string_view what) {
    if (!error_) error_ = fmt::format("{} {}", place_.text(), what);
  }
  const std::optional<std::string>& error() const { return error_; }

 private:
  void wrong_kind(std::string_view wanted, const json::value& value) {
    wrong(fmt::format("must be {}, not {}", wanted, api::openai::type_name(value)));
  }

  void read(const json::value& value, double& out) {
    if (!value.is_number()) return wrong_kind("a number", value);
    const double number = value.to_number<double>();
    if (!std::isfinite(number)) return wrong("is past the largest number");
    out = number;
  }

  template <std::integral T>
  void read(const json::value& value, T& out) {
    if (!value.is_number()) return wrong_kind("an integer", value);
    const auto* negative = value.if_int64();
    const auto* positive = value.if_uint64();
    if (negative && std::in_range<T>(*negative)) {
      out = static_cast<T>(*negative);
    } else if (positive && std::in_range<T>(*positive)) {
      out = static_cast<T>(*positive);
    } else {
      wrong(
          fmt::format("must be an integer of {} to {}", std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    }
  }

  void read(const json::value& value, std::string& out) {
    const auto* text = value.if_string();
    if (!text) return wrong_kind("a string", value);
    out.assign(text->data(), text->size());
  }

  template <class T, size_t N>
  void read_name(const json::value& value, T& out, const std::array<T, N>& known) {
    std::string text;
    read(value, text);
    if (error_) return;
    for (const T one : known) {
      if (name_of(one) == text) return void(out = one);
    }
    std::string names;
    for (const T one : known) names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name_of(one));
    wrong(fmt::format("must be one of {}", names));
  }
  void read(const json::value& value, RowState& out) { read_name(value, out, kRowStates); }
  void read(const json::value& value, SampleState& out) { read_name(value, out, kSampleStates); }
  void read(const json::value& value, Better& out) { read_name(value, out, kBetters); }

  template <class T>
  void read(const json::value& value, std::optional<T>& out) {
    read(value, out.emplace());
  }

  template <class T>
  void read(const json::value& value, std::vector<T>& out) {
    const auto* items = value.if_array();
    if (!items) return wrong_kind("an array", value);
    out.reserve(items->size());
    for (size_t i = 0; i < items->size() && !error_; ++i) {
      const Place::Step step(place_, i);
      read((*items)[i], out.emplace_back());
    }
  }

  template <class T>
  void read(const json::value& value, std::map<std::string, T>& out) {
    const auto* entries = value.if_object();
    if (!entries) return wrong_kind("an object", value);
    for (const auto& [name, entry] : *entries) {
      if (error_) return;
      const std::string_view key(name.data(), name.size());
      const Place::Step step(place_, key);
      read(entry, out[std::string(key)]);
    }
  }

  // An array of a fixed number of values, each of its own type.
  template <class... T>
  void read_tuple(const json::value& value, std::string_view wanted, T&... out) {
    const auto* items = value.if_array();
    if (!items) return wrong_kind(wanted, value);
    if (items->size() != sizeof...(T)) return wrong(fmt::format("must be {}: {} values", wanted, sizeof...(T)));
    size_t index = 0;
    const auto read_next = [&](auto& one) {
      const Place::Step step(place_, index);
      read((*items)[index++], one);
    };
    (read_next(out), ...);
  }
  void read(const json::value& value, std::pair<double, uint64_t>& point) {
    read_tuple(value, "an array [ms, bytes]", point.first, point.second);
  }
  void read(const json::value& value, Probe& probe) {
    read_tuple(value, "an array [ms, path, status, took_ms]", probe.at_ms, probe.path, probe.status, probe.took_ms);
  }

  template <class T>
    requires std::is_class_v<T>
  void read(const json::value& value, T& described) {
    const auto* object = value.if_object();
    if (!object) return wrong_kind("an object", value);
    const auto* outer = std::exchange(object_, object);
    describe(*this, described);
    object_ = outer;
  }

  const json::object* object_;
  Place place_;
  std::optional<std::string> error_;
};

// Values whose types are right, and that do not fit each other.
std::optional<std::string> misfit(const RunResult& run) {
  const auto there = [&](uint32_t row) { return row < run.rows.size(); };
  for (size_t i = 0; i < run.cells.size(); ++i) {
    for (const auto& sample : run.cells[i].samples) {
      if (!there(sample.row)) return fmt::format("cells[{}].samples have row {}, which is not there", i, sample.row);
    }
    for (const auto& summary : run.cells[i].summaries) {
      if (!there(summary.row))
        return fmt::format("cells[{}].summaries have row {}, which is not there", i, summary.row);
    }
  }
  for (const auto& one : run.agreement) {
    if (!there(one.row) || !there(one.other)) return "agreement is of a row which is not there";
  }
  return std::nullopt;
}

Result<RunResult> read_run(const json::object& object) {
  const auto* format = object.if_contains("format");
  const auto* name = format ? format->if_string() : nullptr;
  if (!name || *name != json::string_view(kFormat.data(), kFormat.size())) {
    return fail(ErrorCode::invalid, "this is no result of `sluice bench`: \"format\" is not \"sluice-bench\"");
  }
  Reader reader(object);
  int64_t version = 0;
  reader.field("version", version);
  if (!reader.error() && version != kVersion) {
    return fail(ErrorCode::invalid,
                fmt::format("this result is of version {}; this build reads version {}", version, kVersion));
  }
  RunResult run;
  describe(reader, run);
  if (reader.error()) return fail(ErrorCode::invalid, *reader.error());
  if (const auto what = misfit(run)) return fail(ErrorCode::invalid, *what);
  return run;
}

}  // namespace
}  // namespace result

Result<RunResult> from_json(std::string_view bytes) {
  namespace json = boost::json;
  if (bytes.size() > limits::bench_result_bytes_max) {
    return fail(ErrorCode::too_large, fmt::format("the file has {} bytes, at most {} are read", bytes.size(),
                                                  limits::bench_result_bytes_max));
  }
  json::monotonic_resource memory;  // millions of small values, all gone at once
  json::parse_options options;
  options.max_depth = limits::json_depth_max;
  json::parser parser({}, options);
  parser.reset(&memory);
  json::error_code ec;
  const size_t read = parser.write_some(bytes.data(), bytes.size(), ec);
  if (ec == json::error::incomplete) return fail(ErrorCode::invalid, "the file ends within its JSON");
  if (ec) return fail(ErrorCode::invalid, fmt::format("the file is no JSON: {} at byte {}", ec.message(), read));
  if (bytes.find_first_not_of(" \t\r\n", read) != std::string_view::npos) {
    return fail(ErrorCode::invalid, fmt::format("the file has more after its JSON, at byte {}", read));
  }
  const json::value value = parser.release();
  const auto* object = value.if_object();
  if (!object) return fail(ErrorCode::invalid, "the file must be a JSON object");
  return result::read_run(*object);
}

}  // namespace sluice::bench
