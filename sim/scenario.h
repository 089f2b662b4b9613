// What a seed makes up: a model and its options, a machine, who asks for what, and what goes wrong. Refuses to know how
// a run goes. Thread: any (values).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config.h"
#include "sim/machine.h"

namespace sluice::sim {

struct Range {
  uint32_t low = 1, high = 1;
};

// Asks again and again. Open: after random gaps, whatever became of the last. Closed: when one of `at_once` ended.
struct ClientSpec {
  std::string_view name;
  Class cls = Class::agent;
  uint32_t key = 0;      // number of its API key; 0: it has none
  bool session = false;  // says that its generations belong together
  bool open = false;
  uint32_t at_once = 1;
  Duration first{};           // asks for the first time then
  Duration gap{};             // mean, before each further one
  uint32_t asks_max = 100;    // in the whole run
  uint32_t turns = 1;         // each prompt continues the last with its answer, so many times; then a new conversation
  Range prompt;               // tokens that are its own, first turn
  Range more;                 // tokens, further turns
  Range answer;               // max_tokens
  bool runs_to_max = false;   // ignores end tokens
  double shares_percent = 0;  // of the conversations, begin with the system prompt of all
  double leaves_percent = 0;  // after a while, whatever became of it
  Duration leaves_after{};    // mean
  double stops_percent = 0;   // a stop string is found, after a few tokens
  double deadline_percent = 0;
  Duration deadline{};       // mean
  bool is_newcomer = false;  // short, without a class: the check of newcomers is about it
};

// Of the calls and moves, in percent.
struct Weather {
  double faults = 0, aborts = 0, no_room = 0, hung = 0, failed_moves = 0;
  bool ends_fatally = false;
  bool calm() const { return faults + aborts + no_room + hung + failed_moves == 0 && !ends_fatally; }
};

enum class Shape : uint8_t {
  storm,        // a tiny model, everything at random
  house,        // agents, chats and background work on one machine, as it is meant to be
  newcomers,    // short questions, one at a time, behind long work
  two_keys,     // two keys of one class that always want more
  better_ones,  // more of the better classes than the machine can do, and a few of the worse
  many_keys     // more keys of one class than lanes, each with a queue
};
std::string_view name_of(Shape shape);

struct Scenario {
  uint64_t seed = 0;
  Shape shape = Shape::storm;
  engine::EngineConfig config;
  bool width_matters = false;  // single rows are computed in another way
  MachineSpec machine;
  Weather weather;
  std::vector<ClientSpec> clients;
  Duration length{};           // nobody asks later
  uint32_t system_prompt = 0;  // tokens
  Duration ack_after{};        // mean
  double slow_acks_percent = 0;
  uint32_t keys = 0;  // of the ring
};

Scenario scenario_of(uint64_t seed);
std::string description_of(const Scenario& scenario);  // a few lines

}  // namespace sluice::sim
