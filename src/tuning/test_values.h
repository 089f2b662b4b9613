// Values for this folder's tests. Thread: any.
#pragma once

#include "tuning/costs.h"
#include "tuning/stored.h"

namespace sluice::tuning {

inline Key sample_key() {
  return {"92345678-85944171f73967e8",
          "abc123/Release",
          "llamacpp",
          "AMD EPYC \"Turin\", 2 cores, no graphics device",
          "",
          -1,
          "f16",
          "f16"};
}

inline Stored sample_stored() {
  using std::chrono::microseconds;
  Stored stored;
  stored.key = sample_key();
  stored.runtime_version = "llamacpp 1.0";
  stored.made = 1796040000;  // 2026-11-30
  Tuning& tuning = stored.tuning;
  tuning.choice = {false, 2};
  tuning.candidates = {
      {{false, 2},
       {microseconds(500000), microseconds(10000), microseconds(32000), microseconds(16000), microseconds(80000)}},
      {{true, 2},
       {microseconds(450000), microseconds(10000), microseconds(32000), microseconds(50000), microseconds(320000)}}};
  tuning.lanes = 8;
  tuning.prompt_rows = 256;
  tuning.shallow_tokens = 64;
  tuning.deep_tokens = 2048;
  tuning.took = microseconds(3'500'000);
  return stored;
}

inline StoredCosts sample_costs() {
  return {{sample_key(), "off", 2, 2048, 512},
          1796040000,
          {{3000.5, 500, 120, 40}, {9000, 800.25, 0, 7}, 512, {700, 1}, {2, 3}, {1.5, 4}}};
}

}  // namespace sluice::tuning
