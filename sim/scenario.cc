#include "sim/scenario.h"

#include <algorithm>

#include "base/check.h"
#include "sim/shapes.h"

namespace sluice::sim {
namespace {

Shape shape_of(Random& random) {
  const uint32_t n = random.below(100);
  if (n < 40) return Shape::storm;
  if (n < 65) return Shape::house;
  if (n < 80) return Shape::newcomers;
  if (n < 90) return Shape::two_keys;
  return n < 95 ? Shape::better_ones : Shape::many_keys;
}

std::string ms(Duration d) { return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(d).count()); }

std::string words(const engine::EngineConfig& c) {
  return "lanes " + std::to_string(c.lanes) + ", window " + std::to_string(c.window) + ", vocabulary " +
         std::to_string(c.vocabulary) + ", call " + std::to_string(c.call_tokens) + ", chunk " + ms(c.chunk_time) +
         " ms, waiting " + std::to_string(c.waiting_max) + (c.can_truncate ? "" : ", no truncate") +
         (c.can_copy ? "" : ", no copy") + (c.can_export ? "" : ", no export") +
         (c.parked_tokens_max > 0 ? ", parked " + std::to_string(c.parked_tokens_max) : "") +
         (c.adjacent_ids_per_pass ? ", adjacent ids" : "") + (c.decode_equals_prefill ? "" : ", single rows differ");
}

std::string words(const MachineSpec& m) {
  const auto us = [](double n) { return std::to_string(static_cast<uint64_t>(n)); };
  return "row " + us(m.row_us) + " us, pass " + us(m.pass_us) + " us, depth " + us(m.depth_us) + " us/1024, move " +
         us(m.move_us) + " us/token, noise " + us(100 * m.noise) + " %, hiccups " + us(m.hiccups) + " %";
}

std::string words(const ClientSpec& c) {
  return std::string(c.name) + ": " + std::string(name_of(c.cls)) + ", key " + std::to_string(c.key) +
         (c.open ? ", every " + ms(c.gap) + " ms" : ", " + std::to_string(c.at_once) + " at once") + ", prompt " +
         std::to_string(c.prompt.low) + "-" + std::to_string(c.prompt.high) + ", answer " +
         std::to_string(c.answer.low) + "-" + std::to_string(c.answer.high) + ", turns " + std::to_string(c.turns);
}

}  // namespace

std::string_view name_of(Shape shape) {
  switch (shape) {
    case Shape::storm: return "storm";
    case Shape::house: return "house";
    case Shape::newcomers: return "newcomers";
    case Shape::two_keys: return "two keys";
    case Shape::better_ones: return "better ones";
    case Shape::many_keys: return "many keys";
  }
  UNREACHABLE();
}

Scenario scenario_of(uint64_t seed) {
  Random random(seed);
  Scenario scenario;
  scenario.seed = seed;
  scenario.shape = shape_of(random);
  switch (scenario.shape) {
    case Shape::storm: make_storm(scenario, random); break;
    case Shape::house: make_house(scenario, random); break;
    case Shape::newcomers: make_newcomers(scenario, random); break;
    case Shape::two_keys: make_two_keys(scenario, random); break;
    case Shape::better_ones: make_better_ones(scenario, random); break;
    case Shape::many_keys: make_many_keys(scenario, random); break;
  }
  for (const ClientSpec& client : scenario.clients) scenario.keys = std::max(scenario.keys, client.key);
  return scenario;
}

std::string description_of(const Scenario& s) {
  std::string out = "seed " + std::to_string(s.seed) + ", " + std::string(name_of(s.shape)) + ", " + ms(s.length) +
                    " ms" + (s.weather.calm() ? ", calm" : "") + (s.weather.ends_fatally ? ", ends fatally" : "") +
                    "\n  model: " + words(s.config) + "\n  machine: " + words(s.machine) + "\n";
  for (const ClientSpec& client : s.clients) out += "  " + words(client) + "\n";
  return out;
}

}  // namespace sluice::sim
