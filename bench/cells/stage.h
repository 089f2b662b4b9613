// What a cell measures with: one server, the loop, prompts that are unique to this round, and a place for all that was
// asked. Refuses to know what is measured.
//
// Thread: one. Lifetime: one sample.
#pragma once

#include <string>
#include <vector>

#include "bench/load/volley.h"
#include "bench/server/server.h"

namespace sluice::bench {

struct Round {
  uint64_t seed = 0;
  uint64_t number = 0;  // unique in a run; the same for all rows of a round
};

// How everything is asked in a run.
struct Manner {
  bool chat = false;
  std::optional<bool> thinking = {};
  bool may_end = false;  // answers may end before their last token
};

class Stage final {
 public:
  Stage(Loop& loop, Server& server, Round round, Manner manner)
      : loop_(loop), server_(server), round_(round), manner_(manner) {}

  Loop& loop() { return loop_; }
  Server& server() { return server_; }
  uint64_t seed(uint64_t stream) const { return round_.seed * 1'000'000'007 + round_.number * 1'000'003 + stream; }
  uint64_t round() const { return round_.number; }

  // An ask whose first tokens nobody has asked before. `stream`: below 1,000,000, unique among those of a sample.
  Ask unique(uint64_t stream, std::string text, uint32_t tokens) const;
  Ask unique_chat(uint64_t stream, std::string text, uint32_t tokens) const;  // also where raw prompts are measured

  Volley volley() { return Volley(loop_, server_.target()); }
  void watch_memory(Volley& volley);
  void read_memory(const Volley& volley);
  // Takes over what a volley asked; gives the answers.
  std::vector<Answer> keep(Volley& volley);

  void object(std::string reason) { objections_.push_back(std::move(reason)); }  // the sample is void

  std::vector<Asked>& asked() { return asked_; }
  std::vector<Probe>& probes() { return probes_; }
  std::vector<std::pair<double, uint64_t>>& memory() { return memory_; }
  std::vector<std::string>& objections() { return objections_; }

 private:
  Loop& loop_;
  Server& server_;
  Round round_;
  Manner manner_;
  std::vector<Asked> asked_;
  std::vector<Probe> probes_;
  std::vector<std::pair<double, uint64_t>> memory_;
  std::vector<std::string> objections_;
};

}  // namespace sluice::bench
