#include "api/slots.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "api/json_text.h"
#include "base/check.h"

namespace sluice::api {
namespace {

bool has_a_lane(const LiveGeneration& g) {
  if (!g.standing) return g.where == Whereabouts::running;
  return g.standing->doing == Doing::prefill || g.standing->doing == Doing::decode;
}

std::string_view state_of(const LiveGeneration& g) {
  if (g.standing) return name_of(g.standing->doing);
  switch (g.where) {
    case Whereabouts::queued: return "queued";
    case Whereabouts::waiting: return "waiting";
    case Whereabouts::running: return "running";
  }
  UNREACHABLE();
}

std::string_view waits_for(const LiveGeneration& g) {
  if (g.standing) return name_of(g.standing->waits_for);
  return g.where == Whereabouts::queued ? "worker" : "unknown";
}

// JSON has no way to say what is not known but null.
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double tenths(double value) { return std::round(value * 10) / 10; }

double per_second(uint32_t tokens, Duration time) {
  return time > Duration{} ? tenths(tokens / to_seconds(time)) : kUnknown;
}

void append_whose(JsonObject& object, const LiveGeneration& g, const KeyLabels& labels) {
  object.text("class", name_of(g.cls)).raw("class_named", g.class_named ? "true" : "false");
  const auto label = labels.find(g.key);
  if (label == labels.end()) {
    object.raw("key", "null");
  } else {
    object.text("key", label->second);
  }
  object.raw("session", g.has_session ? "true" : "false");
}

// The first token ends the prefill.
void append_progress(JsonObject& object, const LiveGeneration& g, const Standing& s) {
  const uint32_t read = std::min(s.computed, g.prompt_tokens);
  object.integer("cached_tokens", s.cached)
      .integer("computed_tokens", s.computed)
      .number("queue_ms", tenths(to_ms(s.timings.queued)))
      .number("prefill_ms", tenths(to_ms(s.timings.prefill)))
      .number("decode_ms", tenths(to_ms(s.timings.decode)))
      .number("prefill_per_second", per_second(read - std::min(read, s.cached), s.timings.prefill))
      .number("decode_per_second", g.answer_tokens > 1 ? per_second(g.answer_tokens - 1, s.timings.decode) : kUnknown);
}

// A lane is held back only by the daemon.
void append_holdup(JsonObject& object, const LiveGeneration& g) {
  if (!g.standing || g.standing->waits_for == WaitsFor::nothing) return;
  object.text("waits_for", name_of(g.standing->waits_for)).number("waits_ms", tenths(to_ms(g.standing->starved)));
}

void append_wait(JsonObject& object, const LiveGeneration& g) {
  object.text("waits_for", waits_for(g));
  if (!g.standing) return;
  object.integer("ahead", g.standing->ahead)
      .number("waits_ms", tenths(to_ms(g.standing->starved)))
      .integer("parked_tokens", g.standing->parked);
}

void append_generation(std::string& out, const LiveGeneration& g, const KeyLabels& labels) {
  JsonObject object(out);
  object.text("state", state_of(g)).integer("generation", static_cast<int64_t>(g.id.raw));
  has_a_lane(g) ? append_holdup(object, g) : append_wait(object, g);
  if (g.standing && g.standing->sequence) object.integer("sequence", g.standing->sequence->raw);
  append_whose(object, g, labels);
  object.integer("prompt_tokens", g.prompt_tokens)
      .integer("answer_tokens", g.answer_tokens)
      .integer("max_tokens", g.max_tokens)
      .number("age_ms", tenths(to_ms(g.age)));
  if (g.standing) append_progress(object, g, *g.standing);
  object.end();
}

using Members = std::vector<const LiveGeneration*>;

std::string list_of(const Members& members, size_t free_lanes, const KeyLabels& labels) {
  std::string out = "[";
  const auto separate = [&out] {
    if (out.size() > 1) out += ',';
  };
  for (const LiveGeneration* g : members) {
    separate();
    append_generation(out, *g, labels);
  }
  for (size_t i = 0; i < free_lanes; ++i) {
    separate();
    out += R"({"state":"free"})";
  }
  return out + ']';
}

// By sequence, so that a generation keeps its place in the list while it keeps its lane.
Members with_a_lane(const LiveView& view) {
  Members members;
  for (const LiveGeneration& g : view.generations) {
    if (has_a_lane(g)) members.push_back(&g);
  }
  std::ranges::stable_sort(members, {},
                           [](const LiveGeneration* g) { return g->standing ? g->standing->sequence : std::nullopt; });
  return members;
}

// As the worker would give them lanes; behind them those that it does not know.
Members without_a_lane(const LiveView& view) {
  Members members;
  for (const LiveGeneration& g : view.generations) {
    if (!has_a_lane(g)) members.push_back(&g);
  }
  std::ranges::stable_sort(members, {}, [](const LiveGeneration* g) {
    return g->standing ? g->standing->ahead : std::numeric_limits<uint32_t>::max();
  });
  return members;
}

}  // namespace

http::Response slots_response(const LiveView& view, const KeyLabels& labels) {
  const Members busy = with_a_lane(view), waiting = without_a_lane(view);
  const size_t free_lanes = view.worker_told && view.lanes > busy.size() ? view.lanes - busy.size() : 0;
  http::Response response;
  JsonObject object(response.body);
  object.raw("worker_told", view.worker_told ? "true" : "false")
      .integer("window", view.window)
      .raw("lanes", list_of(busy, free_lanes, labels))
      .raw("waiting", list_of(waiting, 0, labels));
  object.end();
  return response;
}

}  // namespace sluice::api
