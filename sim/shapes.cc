#include "sim/shapes.h"

#include <algorithm>

namespace sluice::sim {
namespace {

using namespace std::chrono_literals;

Duration ms(double n) { return from_us(1000 * n); }

Class any_class(Random& random) { return kClasses[random.below(std::size(kClasses))]; }

MachineSpec any_machine(Random& random) {
  MachineSpec m;
  m.row_us = random.log_between(50.0, 3000.0);
  m.pass_us = m.row_us * random.log_between(2.0, 30.0);
  m.depth_us = m.row_us * random.log_between(0.01, 1.0);
  m.move_us = m.row_us * random.log_between(0.002, 0.3);
  m.copy_us = m.pass_us * random.log_between(0.1, 10.0);
  m.noise = random.real(0.0, 0.25);
  if (random.chance(30)) m.hiccups = random.real(0.1, 3.0);
  m.hiccup = random.real(2.0, 20.0);
  return m;
}

Weather any_weather(Random& random) {
  Weather w;
  if (random.chance(40)) return w;
  const auto some = [&] { return random.chance(60) ? random.real(0.1, 3.0) : 0.0; };
  w = {some(), some(), some(), some() / 3, some(), random.chance(20)};
  return w;
}

// A model for conversations; what its runtime can is drawn.
engine::EngineConfig any_model(Random& random, const MachineSpec& machine) {
  engine::EngineConfig c;
  c.lanes = random.between(2, 8);
  c.window = random.log_whole(512u, 2048u);
  c.vocabulary = random.between(16, 48);
  c.call_tokens = random.one_of(std::array{64u, 256u, 512u});
  if (random.chance(50)) c.chunk_time = ms(random.log_between(20.0, 500.0));
  if (random.chance(50)) c.row_time = from_us(machine.row_us);
  c.waiting_max = random.chance(20) ? random.below(8) : 1000;
  c.can_truncate = random.chance(85);
  c.can_copy = random.chance(85);
  c.adjacent_ids_per_pass = random.chance(75);
  c.end_tokens = {0};
  if (random.chance(30)) c.pace = {};
  return c;
}

void differ_in_single_rows(Scenario& scenario) {
  scenario.width_matters = true;
  scenario.config.decode_equals_prefill = false;
}

void make_acks(Scenario& scenario, Random& random) {
  scenario.ack_after = ms(random.log_between(0.1, 30.0));
  if (random.chance(20)) scenario.slow_acks_percent = random.real(0.1, 5.0);
}

void make_model(Scenario& scenario, Random& random) {
  scenario.machine = any_machine(random);
  scenario.config = any_model(random, scenario.machine);
  if (random.chance(50)) differ_in_single_rows(scenario);
  make_acks(scenario, random);
}

Duration prefill_time(const Scenario& s, double rows) { return from_us(rows * s.machine.row_us); }

// A generation of so many rows alone on the machine, about.
Duration own_time(const Scenario& s, double prompt, double answer) {
  return from_us(prompt * s.machine.row_us + answer * (s.machine.row_us + s.machine.pass_us));
}

ClientSpec storm_client(Scenario& s, Random& random) {
  ClientSpec c;
  c.name = "anybody";
  c.cls = any_class(random);
  c.key = random.below(4);
  c.session = random.chance(50);
  c.open = random.chance(60);
  c.at_once = random.between(1, 3);
  c.gap = ms(random.log_between(1.0, 300.0));
  c.asks_max = random.between(3, 14);
  c.turns = random.between(1, 4);
  c.prompt = {1, random.between(1, s.config.window)};
  c.more = {1, random.between(1, 20)};
  c.answer = {1, random.between(1, 40)};
  c.runs_to_max = random.chance(50);
  c.shares_percent = random.chance(50) ? 70 : 0;
  c.leaves_percent = random.chance(50) ? 25 : 3;
  c.leaves_after = ms(random.log_between(1.0, 1000.0));
  c.stops_percent = 10;
  c.deadline_percent = random.chance(30) ? 20 : 0;
  c.deadline = ms(random.log_between(10.0, 3000.0));
  return c;
}

ClientSpec agent(const Scenario& s, Random& random) {
  ClientSpec c;
  c.name = "agent";
  c.session = random.chance(70);
  c.asks_max = random.between(2, 8);
  c.turns = random.between(1, 6);
  c.prompt = {s.config.window / 4, s.config.window / 2};
  c.more = {8, s.config.window / 10};
  c.answer = {8, s.config.window / 8};
  c.first = prefill_time(s, random.real(0.0, 500.0));
  c.gap = prefill_time(s, random.real(10.0, 500.0));
  c.shares_percent = 60;
  c.leaves_percent = 5;
  c.leaves_after = prefill_time(s, random.log_between(50.0, 5000.0));
  return c;
}

ClientSpec chats(const Scenario& s, Random& random) {
  ClientSpec c;
  c.name = "chats";
  if (random.chance(30)) c.cls = Class::interactive;
  c.open = true;
  c.asks_max = random.between(3, 20);
  c.gap = own_time(s, 50, 30) * random.between(1, 6) / 3;
  c.prompt = {5, std::min(200u, s.config.window / 4)};
  c.answer = {4, 60};
  c.turns = random.between(1, 2);
  c.more = {3, 40};
  c.leaves_percent = 8;
  c.leaves_after = own_time(s, 100, 20);
  c.stops_percent = 10;
  if (random.chance(20)) c.deadline_percent = 10;
  c.deadline = own_time(s, 400, 60);
  return c;
}

ClientSpec batch(const Scenario& s, Random& random) {
  ClientSpec c;
  c.name = "batch";
  c.cls = Class::background;
  c.key = random.below(3);
  c.at_once = random.between(1, 6);
  c.asks_max = random.between(2, 10);
  c.prompt = {10, s.config.window * 2 / 3};
  c.answer = {1, s.config.window / 4};
  c.runs_to_max = true;
  return c;
}

// Little is computed while somebody waits for long.
void make_slow_model(Scenario& s, Random& random) {
  make_model(s, random);
  s.machine.row_us = random.log_between(2000.0, 8000.0);
  s.machine.pass_us = s.machine.row_us * random.log_between(4.0, 20.0);
}

void bound_classes(engine::EngineConfig& config, Random& random) {
  for (uint32_t& lanes : config.class_lanes) lanes = random.chance(20) ? random.between(1, config.lanes) : 0;
}

}  // namespace

void make_storm(Scenario& s, Random& random) {
  s.machine = any_machine(random);
  s.config = any_model(random, s.machine);
  s.config.lanes = random.between(1, 6);
  s.config.window = random.between(64, 160);
  s.config.vocabulary = random.between(4, 32);
  if (random.chance(50)) differ_in_single_rows(s);
  // With fewer, single rows cannot be avoided.
  s.config.call_tokens = (s.width_matters ? 3 : 1) + random.below(60);
  s.config.waiting_max = random.chance(30) ? random.below(8) : 30;
  s.config.can_truncate = random.chance(75);
  s.config.can_export = random.chance(75);
  if (random.chance(30)) s.config.parked_tokens_max = random.between(1, 300);
  bound_classes(s.config, random);
  for (Duration& pace : s.config.pace) pace = ms(random.chance(50) ? random.below(50) : 0);
  make_acks(s, random);
  s.weather = any_weather(random);
  s.length = ms(random.log_between(100.0, 8000.0));
  s.system_prompt = random.between(1, s.config.window / 2);
  const uint32_t clients = random.between(1, 6);
  for (uint32_t i = 0; i < clients; ++i) s.clients.push_back(storm_client(s, random));
}

void make_house(Scenario& s, Random& random) {
  make_model(s, random);
  s.config.can_export = random.chance(85);
  if (random.chance(30)) bound_classes(s.config, random);
  s.weather = any_weather(random);
  s.length = own_time(s, 6000, 400);
  s.system_prompt = s.config.window / 5;
  const uint32_t agents = random.between(1, 5);
  for (uint32_t i = 0; i < agents; ++i) s.clients.push_back(agent(s, random));
  s.clients.push_back(chats(s, random));
  if (random.chance(50)) s.clients.push_back(batch(s, random));
}

// Long work that arrives again and again, and one short question at a time.
void make_newcomers(Scenario& s, Random& random) {
  make_model(s, random);
  s.config.window = random.between(2400, 4096);  // a prompt of half of it is long (src/engine/order.cc)
  s.config.call_tokens = random.chance(50) ? 256 : 512;
  s.config.parked_tokens_max = 20 * s.config.window;  // where it is full, a newcomer waits until somebody ends
  s.config.waiting_max = 1000;
  s.slow_acks_percent = 0;
  s.length = own_time(s, 16000, 300);
  const uint32_t agents = random.between(s.config.lanes - 1, s.config.lanes + 4);
  for (uint32_t i = 0; i < agents; ++i) {
    ClientSpec c = agent(s, random);
    c.session = false;
    c.leaves_percent = 0;
    c.shares_percent = 0;
    c.turns = 1;
    c.prompt = {s.config.window / 2, s.config.window * 3 / 4};
    c.answer = {8, 100};
    s.clients.push_back(c);
  }
  ClientSpec newcomer;
  newcomer.name = "newcomer";
  newcomer.is_newcomer = true;
  newcomer.first = own_time(s, 1000, 10);
  newcomer.gap = own_time(s, 500, 5);
  newcomer.asks_max = 12;
  newcomer.prompt = {2, std::min(250u, s.config.window / 5)};
  newcomer.answer = {1, 12};
  s.clients.push_back(newcomer);
}

void make_two_keys(Scenario& s, Random& random) {
  make_model(s, random);
  s.config.waiting_max = 1000;
  s.length = own_time(s, 8000, 300);
  const Class cls = any_class(random);
  for (uint32_t key = 1; key <= 2; ++key) {
    ClientSpec c;
    c.name = key == 1 ? "one key" : "another key";
    c.cls = cls;
    c.key = key;
    c.session = random.chance(30);
    c.at_once = s.config.lanes + random.between(2, 10);
    c.asks_max = 400;
    c.prompt = {5, random.log_whole(20u, s.config.window * 3 / 4)};
    c.answer = {2, random.log_whole(4u, s.config.window / 4)};
    c.runs_to_max = random.chance(50);
    s.clients.push_back(c);
  }
}

void make_better_ones(Scenario& s, Random& random) {
  make_slow_model(s, random);
  s.config.lanes = random.between(1, 4);
  s.config.waiting_max = random.between(6, 20);
  s.length = random.between(20, 60) * 1s;
  const uint32_t kinds = random.between(1, 2);
  for (uint32_t i = 0; i < kinds; ++i) {
    ClientSpec c = chats(s, random);
    c.cls = kClasses[random.below(3)];
    c.open = random.chance(50);
    c.at_once = s.config.lanes + 4;
    c.gap = c.open ? own_time(s, 50, 15) / 3 : Duration{};
    c.asks_max = 300;
    c.answer = {4, 40};
    c.turns = 1;
    c.deadline_percent = 0;
    s.clients.push_back(c);
  }
  ClientSpec c = batch(s, random);
  c.key = 0;
  c.at_once = random.between(1, 2);
  c.cls = random.chance(50) ? Class::background : Class::agent;
  c.answer = {1, 60};
  c.first = 2s;
  s.clients.push_back(c);
}

void make_many_keys(Scenario& s, Random& random) {
  make_slow_model(s, random);
  s.config.lanes = random.between(1, 3);
  s.config.waiting_max = 1000;
  s.length = random.between(20, 90) * 1s;
  const Class cls = any_class(random);
  const uint32_t keys = s.config.lanes + random.between(1, 3);
  for (uint32_t key = 1; key <= keys; ++key) {
    ClientSpec c;
    c.name = "one of many keys";
    c.cls = cls;
    c.key = key;
    c.first = random.chance(50) ? random.between(0, 15) * 1s : Duration{};
    c.at_once = random.between(1, 6);
    c.asks_max = 200;
    c.prompt = {5, random.log_whole(20u, s.config.window / 2)};
    c.answer = {2, random.log_whole(4u, s.config.window / 4)};
    c.runs_to_max = random.chance(50);
    s.clients.push_back(c);
  }
}

}  // namespace sluice::sim
