#include "tuning/format.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <utility>

#include "base/fnv.h"
#include "base/limits.h"

namespace sluice::tuning {
namespace {

namespace json = boost::json;

constexpr int64_t kMadeMax = 253402300799;  // the year 9999
constexpr std::string_view kTuningKind = "sluice-tuning", kPinKind = "sluice-pin";

std::unexpected<Error> broken(std::string what) { return fail(ErrorCode::invalid, std::move(what)); }

// ---- the first line: "sluice-tuning 1 85944171f73967e8" -------------------------------------------------------------

std::string head_of(std::string_view kind, std::string_view body) {
  return fmt::format("{} {} {}\n", kind, kFormatVersion, hex16(fnv1a(body)));
}

Result<json::object> body_of(std::string_view kind, std::string_view bytes) {
  if (bytes.size() > limits::tuning_file_bytes_max) return broken("it is too long");
  const std::string start = fmt::format("{} {} ", kind, kFormatVersion);
  if (!bytes.starts_with(fmt::format("{} ", kind))) return broken("it does not begin as such a file does");
  if (!bytes.starts_with(start)) return broken(fmt::format("its version is not {}", kFormatVersion));
  const std::string_view body = bytes.substr(std::min(bytes.find('\n'), bytes.size() - 1) + 1);
  if (bytes != head_of(kind, body) + std::string(body)) return broken("it was cut or changed");
  json::error_code error;
  json::value value = json::parse(json::string_view(body.data(), body.size()), error);
  if (error || !value.is_object()) return broken("it is not JSON");
  return std::move(value.as_object());
}

// ---- values ---------------------------------------------------------------------------------------------------------

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

json::object object_of(const TuningChoice& choice) {
  return {{"flash_attention", choice.flash_attention}, {"threads", choice.threads}};
}

json::object object_of(const TuningCandidate& candidate) {
  const TuningFigures& figures = candidate.figures;
  json::object object = object_of(candidate.choice);
  object["prompt_us"] = us_of(figures.prompt);
  object["alone_shallow_us"] = us_of(figures.alone_shallow);
  object["full_shallow_us"] = us_of(figures.full_shallow);
  object["alone_deep_us"] = us_of(figures.alone_deep);
  object["full_deep_us"] = us_of(figures.full_deep);
  return object;
}

json::object object_of(const Tuning& tuning) {
  json::array candidates;
  for (const TuningCandidate& candidate : tuning.candidates) candidates.push_back(object_of(candidate));
  return {{"choice", object_of(tuning.choice)},
          {"candidates", std::move(candidates)},
          {"lanes", tuning.lanes},
          {"prompt_rows", tuning.prompt_rows},
          {"shallow_tokens", tuning.shallow_tokens},
          {"deep_tokens", tuning.deep_tokens},
          {"took_us", us_of(tuning.took)},
          {"remark", tuning.remark}};
}

// Reads fields one after the other. The first that is missing or impossible is kept; what follows then does not matter.
class Fields final {
 public:
  explicit Fields(const json::object& object) : object_(&object) {}

  std::string text(const char* name) {
    const json::value* value = object_->if_contains(name);
    if (value && value->is_string()) return {value->as_string().begin(), value->as_string().end()};
    wrong(name);
    return {};
  }
  bool flag(const char* name) {
    const json::value* value = object_->if_contains(name);
    if (value && value->is_bool()) return value->as_bool();
    wrong(name);
    return false;
  }
  int64_t number(const char* name, int64_t least, int64_t most) {
    const json::value* value = object_->if_contains(name);
    if (value && value->is_int64() && value->as_int64() >= least && value->as_int64() <= most) return value->as_int64();
    wrong(name);
    return least;
  }
  uint32_t count(const char* name, uint32_t least = 0, uint32_t most = UINT32_MAX) {
    return static_cast<uint32_t>(number(name, least, most));
  }
  Duration us(const char* name) { return std::chrono::microseconds(number(name, 0, UINT32_MAX)); }
  TuningChoice choice() { return {flag("flash_attention"), count("threads", 1, limits::threads_max)}; }

  // Reads with `read` the object, or each of the objects, of this name.
  template <class Read>
  void object(const char* name, Read read) {
    const json::value* value = object_->if_contains(name);
    if (value && value->is_object()) return within(value->as_object(), read);
    wrong(name);
  }
  template <class Read>
  void objects(const char* name, size_t most, Read read) {
    const json::value* value = object_->if_contains(name);
    if (!value || !value->is_array() || value->as_array().size() > most) return wrong(name);
    for (const json::value& item : value->as_array()) {
      if (!item.is_object()) return wrong(name);
      within(item.as_object(), read);
    }
  }
  bool has(const char* name) const { return object_->contains(name); }
  Result<void> verdict() const {
    return wrong_.empty() ? Result<void>{} : broken(fmt::format("its {} is missing or impossible", wrong_));
  }

 private:
  template <class Read>
  void within(const json::object& inner, Read read) {
    const json::object* outer = std::exchange(object_, &inner);
    read();
    object_ = outer;
  }
  void wrong(const char* name) {
    if (wrong_.empty()) wrong_ = name;
  }
  const json::object* object_;
  std::string wrong_;
};

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

TuningCandidate candidate_in(Fields& fields) {
  return {fields.choice(),
          {.prompt = fields.us("prompt_us"),
           .alone_shallow = fields.us("alone_shallow_us"),
           .full_shallow = fields.us("full_shallow_us"),
           .alone_deep = fields.us("alone_deep_us"),
           .full_deep = fields.us("full_deep_us")}};
}

Tuning tuning_in(Fields& fields) {
  Tuning tuning;
  fields.object("choice", [&] { tuning.choice = fields.choice(); });
  fields.objects("candidates", limits::tuning_candidates_max,
                 [&] { tuning.candidates.push_back(candidate_in(fields)); });
  const uint32_t least = tuning.candidates.empty() ? 0 : 1;  // the figures are of some lanes and rows
  tuning.lanes = fields.count("lanes", least, limits::lanes_max);
  tuning.prompt_rows = fields.count("prompt_rows", least);
  tuning.shallow_tokens = fields.count("shallow_tokens");
  tuning.deep_tokens = fields.count("deep_tokens");
  tuning.took = fields.us("took_us");
  tuning.remark = fields.text("remark");
  return tuning;
}

std::string whole(std::string_view kind, const json::object& object) {
  const std::string body = json::serialize(object) + "\n";
  return head_of(kind, body) + body;
}

}  // namespace

std::string write(const Stored& stored) {
  return whole(kTuningKind, {{"key", object_of(stored.key)},
                             {"runtime_version", stored.runtime_version},
                             {"made", stored.made},
                             {"tuning", object_of(stored.tuning)}});
}

std::string write(const Pin& pin) {
  json::object object;
  if (pin.flash_attention) object["flash_attention"] = *pin.flash_attention;
  if (pin.threads) object["threads"] = *pin.threads;
  return whole(kPinKind, object);
}

Result<Stored> read_stored(std::string_view bytes) {
  auto body = body_of(kTuningKind, bytes);
  if (!body) return std::unexpected(std::move(body.error()));
  Fields fields(*body);
  Stored stored;
  fields.object("key", [&] { stored.key = key_in(fields); });
  stored.runtime_version = fields.text("runtime_version");
  stored.made = fields.number("made", 0, kMadeMax);
  fields.object("tuning", [&] { stored.tuning = tuning_in(fields); });
  if (auto read = fields.verdict(); !read) return std::unexpected(std::move(read.error()));
  return stored;
}

Result<Pin> read_pin(std::string_view bytes) {
  auto body = body_of(kPinKind, bytes);
  if (!body) return std::unexpected(std::move(body.error()));
  Fields fields(*body);
  Pin pin;
  if (fields.has("flash_attention")) pin.flash_attention = fields.flag("flash_attention");
  if (fields.has("threads")) pin.threads = fields.count("threads", 1, limits::threads_max);
  if (auto read = fields.verdict(); !read) return std::unexpected(std::move(read.error()));
  return pin;
}

}  // namespace sluice::tuning
