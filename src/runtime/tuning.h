// What a runtime's settings cost on this machine, measured, and which were chosen: plain values. Refuses to know how
// they are measured (an adapter) and kept (tuning/). Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"

namespace sluice {

// The settings that are decided once per model, build and machine, as they may change bytes.
struct TuningChoice {
  bool flash_attention = false;
  uint32_t threads = 0;
  bool operator==(const TuningChoice&) const = default;
};

// Times of one call each, the least of those measured.
struct TuningFigures {
  Duration prompt{};         // prompt_rows of a prompt
  Duration alone_shallow{};  // a row of one lane
  Duration full_shallow{};   // a row of each lane
  Duration alone_deep{};
  Duration full_deep{};
  bool operator==(const TuningFigures&) const = default;
};

struct TuningCandidate {
  TuningChoice choice;
  TuningFigures figures;
  bool operator==(const TuningCandidate&) const = default;
};

struct Tuning {
  TuningChoice choice;
  std::vector<TuningCandidate> candidates;  // measured; the first is what is used where nothing is measured
  // What the figures are of.
  uint32_t lanes = 0;
  uint32_t prompt_rows = 0;
  uint32_t shallow_tokens = 0;
  uint32_t deep_tokens = 0;
  Duration took{};
  std::string remark;  // why candidates are missing; empty where none are
  bool operator==(const Tuning&) const = default;
};

}  // namespace sluice
