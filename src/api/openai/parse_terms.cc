#include "api/openai/parse_terms.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <utility>

#include "base/limits.h"

namespace sluice::api::openai {
namespace {

std::optional<Class> named_class(Fields& fields) {
  const auto word = fields.text("class");
  if (!word) return std::nullopt;
  const auto cls = class_of_word(*word, fields.path("class"));
  if (cls) return *cls;
  fields.invalid("class", cls.error().message.substr(fields.path("class").size() + 1));
  return std::nullopt;
}

// As other servers have it, lower is sooner, and 0 is what clients send that mean nothing by it.
std::optional<Class> class_of_priority(Fields& fields) {
  const auto priority =
      fields.integer("priority", std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max());
  if (!priority || *priority == 0) return std::nullopt;
  return *priority < 0 ? Class::interactive : Class::background;
}

std::optional<Class> class_of_tier(Fields& fields) {
  constexpr std::array<std::pair<std::string_view, std::optional<Class>>, 4> kTiers = {{
      {"auto", std::nullopt},
      {"default", std::nullopt},
      {"priority", Class::interactive},
      {"flex", Class::background},
  }};
  const auto word = fields.text("service_tier");
  if (!word) return std::nullopt;
  for (const auto& [tier, cls] : kTiers) {
    if (tier == *word) return cls;
  }
  fields.invalid("service_tier",
                 fmt::format("must be one of \"auto\", \"default\", \"priority\", \"flex\", not \"{}\"", *word));
  return std::nullopt;
}

void parse_class(Fields& fields, std::optional<Class>& cls) {
  const std::pair<const char*, std::optional<Class>> sources[] = {
      {"class", named_class(fields)}, {"priority", class_of_priority(fields)}, {"service_tier", class_of_tier(fields)}};
  const char* first = nullptr;
  for (const auto& [name, named] : sources) {
    if (!named) continue;
    if (cls && *cls != *named) {
      return fields.invalid(name, fmt::format("means the class {}, and {} means {}; send one of them", name_of(*named),
                                              first, name_of(*cls)));
    }
    if (!cls) first = name;
    cls = named;
  }
}

void parse_time(Fields& fields, std::optional<Duration>& time) {
  constexpr double kMost = std::chrono::duration<double>(limits::deadline_max).count();
  const auto seconds = fields.number("timeout", 0, kMost);
  if (!seconds) return;
  time = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(*seconds));
  if (*time <= Duration{}) fields.invalid("timeout", "must be above 0");
}

void parse_session(Fields& fields, std::string& session) {
  auto metadata = fields.object("metadata");
  for (auto& id : {fields.text("prompt_cache_key", limits::session_id_bytes_max),
                   metadata ? metadata->text("user_id", limits::session_id_bytes_max) : std::nullopt,
                   fields.text("user", limits::session_id_bytes_max)}) {
    if (session.empty() && id) session = *id;
  }
}

}  // namespace

void parse_terms(Fields& fields, Terms& terms) {
  parse_class(fields, terms.cls);
  parse_time(fields, terms.time);
  parse_session(fields, terms.session);
}

}  // namespace sluice::api::openai
