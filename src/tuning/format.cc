#include "tuning/format.h"

#include <utility>

#include "base/limits.h"
#include "tuning/fields.h"
#include "tuning/sealed.h"

namespace sluice::tuning {
namespace {

namespace json = boost::json;

constexpr Seal kTuning{"sluice-tuning", kFormatVersion, limits::tuning_file_bytes_max};
constexpr Seal kPin{"sluice-pin", kFormatVersion, limits::tuning_file_bytes_max};

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

TuningChoice choice_in(Fields& fields) {
  return {fields.flag("flash_attention"), fields.count("threads", 1, limits::threads_max)};
}

TuningCandidate candidate_in(Fields& fields) {
  return {choice_in(fields),
          {.prompt = fields.us("prompt_us"),
           .alone_shallow = fields.us("alone_shallow_us"),
           .full_shallow = fields.us("full_shallow_us"),
           .alone_deep = fields.us("alone_deep_us"),
           .full_deep = fields.us("full_deep_us")}};
}

Tuning tuning_in(Fields& fields) {
  Tuning tuning;
  fields.object("choice", [&] { tuning.choice = choice_in(fields); });
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

}  // namespace

std::string write(const Stored& stored) {
  return sealed(kTuning, {{"key", object_of(stored.key)},
                          {"runtime_version", stored.runtime_version},
                          {"made", stored.made},
                          {"tuning", object_of(stored.tuning)}});
}

std::string write(const Pin& pin) {
  json::object object;
  if (pin.flash_attention) object["flash_attention"] = *pin.flash_attention;
  if (pin.threads) object["threads"] = *pin.threads;
  return sealed(kPin, object);
}

Result<Stored> read_stored(std::string_view bytes) {
  auto body = opened(kTuning, bytes);
  if (!body) return std::unexpected(std::move(body.error()));
  Fields fields(*body);
  Stored stored;
  fields.object("key", [&] { stored.key = key_in(fields); });
  stored.runtime_version = fields.text("runtime_version");
  stored.made = fields.unix_seconds("made");
  fields.object("tuning", [&] { stored.tuning = tuning_in(fields); });
  if (auto read = fields.verdict(); !read) return std::unexpected(std::move(read.error()));
  return stored;
}

Result<Pin> read_pin(std::string_view bytes) {
  auto body = opened(kPin, bytes);
  if (!body) return std::unexpected(std::move(body.error()));
  Fields fields(*body);
  Pin pin;
  if (fields.has("flash_attention")) pin.flash_attention = fields.flag("flash_attention");
  if (fields.has("threads")) pin.threads = fields.count("threads", 1, limits::threads_max);
  if (auto read = fields.verdict(); !read) return std::unexpected(std::move(read.error()));
  return pin;
}

}  // namespace sluice::tuning
