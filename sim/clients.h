// Those who ask: conversations that go on where the last answer ended, questions at random times, work without end.
// Refuses to know whether they are let in. Thread: one at a time per object.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/random.h"
#include "sim/record.h"
#include "sim/scenario.h"

namespace sluice::sim {

struct Wake {
  TimePoint at;
  size_t client = 0;
};

struct Ask {
  GenerationSpec spec;
  std::string authorization;  // header; may be wrong
  size_t talk = 0;
  uint32_t stop_after = 0;
  std::optional<Duration> leaves_after;
};

class Clients final {
 public:
  Clients(const Scenario& scenario, Random random);

  std::vector<Wake> first_wakes();
  std::optional<Ask> ask(size_t client);  // empty: has enough
  // When it asks again: after asking, or after the end of what it asked.
  std::optional<Wake> after_asking(size_t client, TimePoint now);
  std::optional<Wake> after_end(const Record& record, TimePoint now);
  std::optional<Wake> after_refusal(size_t client, size_t talk, TimePoint now);

 private:
  struct Talk {
    std::vector<Token> said;
    uint32_t turn = 0;
    uint64_t session = 0;
    bool live = false;
  };
  struct Client {
    uint32_t asks = 0;
    std::vector<Talk> talks;
  };

  const ClientSpec& spec(size_t client) const { return scenario_.clients[client]; }
  uint32_t drawn(Range range) { return random_.between(range.low, std::max(range.low, range.high)); }
  size_t idle_talk(Client& client);
  void say(std::vector<Token>& to, uint32_t tokens);
  void begin(Talk& talk, const ClientSpec& of);
  void go_on(Talk& talk, const ClientSpec& of);
  SamplingParams sampling();
  std::string authorization(uint32_t key);
  Wake wake(size_t client, TimePoint now);

  const Scenario& scenario_;
  Random random_;
  std::vector<Token> system_prompt_;
  std::vector<Client> clients_;
  uint64_t sessions_ = 0;
};

}  // namespace sluice::sim
