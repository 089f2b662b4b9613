// All that lives at one moment: what the daemon knows of each generation, and what its worker said of it. Refuses to
// know how either is learnt, and JSON. Thread: any (values).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/standing.h"

namespace sluice::api {

// As far as the daemon knows.
enum class Whereabouts : uint8_t {
  queued,   // its worker starts, or has not taken it yet
  waiting,  // at its worker, and had no lane yet
  running,  // had a lane: it runs, or is preempted
};

struct LiveGeneration {
  GenerationId id;
  Whereabouts where = Whereabouts::queued;
  Class cls = Class::agent;
  bool class_named = false;
  uint32_t key = 0;  // as in GenerationSpec
  bool has_session = false;
  uint32_t prompt_tokens = 0;
  uint32_t answer_tokens = 0;  // delivered
  uint32_t max_tokens = 0;
  Duration age{};  // since its prompt was there
  std::optional<Standing> standing;
};

struct LiveView {
  uint32_t lanes = 0;
  uint32_t window = 0;                      // 0: not known yet
  bool worker_told = false;                 // else there are no standings
  std::vector<LiveGeneration> generations;  // in order of arrival
};

}  // namespace sluice::api
