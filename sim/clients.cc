#include "sim/clients.h"

#include <algorithm>

namespace sluice::sim {

Clients::Clients(const Scenario& scenario, Random random)
    : scenario_(scenario), random_(random), clients_(scenario.clients.size()) {
  say(system_prompt_, scenario.system_prompt);
}

std::vector<Wake> Clients::first_wakes() {
  std::vector<Wake> out;
  for (size_t i = 0; i < clients_.size(); ++i) {
    const uint32_t times = spec(i).open ? 1 : spec(i).at_once;
    for (uint32_t n = 0; n < times; ++n) out.push_back(wake(i, TimePoint{} + spec(i).first));
  }
  return out;
}

Wake Clients::wake(size_t client, TimePoint now) {
  return {now + from_us(random_.exponential(to_ms(spec(client).gap) * 1000)), client};
}

void Clients::say(std::vector<Token>& to, uint32_t tokens) {
  for (uint32_t i = 0; i < tokens; ++i) to.push_back(static_cast<Token>(random_.below(scenario_.config.vocabulary)));
}

size_t Clients::idle_talk(Client& client) {
  const auto idle = std::ranges::find(client.talks, false, &Talk::live);
  if (idle != client.talks.end()) return static_cast<size_t>(idle - client.talks.begin());
  client.talks.emplace_back();
  return client.talks.size() - 1;
}

void Clients::begin(Talk& talk, const ClientSpec& of) {
  talk = {};
  if (of.session) talk.session = ++sessions_;
  if (random_.chance(of.shares_percent)) talk.said = system_prompt_;
  say(talk.said, drawn(of.prompt));
  talk.said.resize(std::min<size_t>(talk.said.size(), scenario_.config.window - 1));
}

void Clients::go_on(Talk& talk, const ClientSpec& of) {
  if (talk.turn == 0 || talk.turn >= of.turns) return begin(talk, of);
  say(talk.said, drawn(of.more));
  if (talk.said.size() >= scenario_.config.window) begin(talk, of);
}

SamplingParams Clients::sampling() {
  SamplingParams p;
  p.seed = random_.next();
  if (random_.chance(40)) p.temperature = 0;
  if (random_.chance(20)) p.repeat_penalty = 1.2f;
  if (random_.chance(20)) p.presence_penalty = 0.5f;
  return p;
}

// A few present a key that opens nothing.
std::string Clients::authorization(uint32_t key) {
  if (random_.chance(1)) return "Bearer somebody";
  return "Bearer secret-" + std::to_string(key);
}

std::optional<Ask> Clients::ask(size_t index) {
  const ClientSpec& of = spec(index);
  Client& client = clients_[index];
  if (client.asks == of.asks_max) return std::nullopt;
  ++client.asks;
  Ask ask{.spec = {}, .authorization = authorization(of.key), .talk = idle_talk(client), .leaves_after = {}};
  Talk& talk = client.talks[ask.talk];
  go_on(talk, of);
  talk.live = true;
  ask.spec.prompt = talk.said;
  ask.spec.sampling = sampling();
  ask.spec.choice = random_.below(2);
  ask.spec.max_tokens = std::max(1u, drawn(of.answer));
  ask.spec.ignore_eos = of.runs_to_max;
  ask.spec.cls = of.cls;
  ask.spec.session = talk.session;
  if (random_.chance(of.deadline_percent)) ask.spec.time_left = from_us(random_.exponential(to_ms(of.deadline) * 1000));
  ask.spec.refuse_late = ask.spec.time_left.has_value();
  if (random_.chance(of.stops_percent)) ask.stop_after = random_.between(1, 12);
  if (random_.chance(of.leaves_percent)) ask.leaves_after = from_us(random_.exponential(to_ms(of.leaves_after) * 1000));
  return ask;
}

std::optional<Wake> Clients::after_asking(size_t client, TimePoint now) {
  if (!spec(client).open) return std::nullopt;
  return wake(client, now);
}

std::optional<Wake> Clients::after_end(const Record& record, TimePoint now) {
  Talk& talk = clients_[record.client].talks[record.talk];
  talk.said.insert(talk.said.end(), record.answer.begin(), record.answer.end());
  ++talk.turn;
  talk.live = false;
  if (spec(record.client).open) return std::nullopt;
  return wake(record.client, now);
}

// Comes back as a client does that was told to: after a while.
std::optional<Wake> Clients::after_refusal(size_t client, size_t talk, TimePoint now) {
  clients_[client].talks[talk].live = false;
  if (spec(client).open) return std::nullopt;
  return wake(client, now + limits::retry_after_default);
}

}  // namespace sluice::sim
