// What an adapter is told when it loads a model, and the choices it may make itself. Thread: step.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/limits.h"
#include "base/time.h"
#include "core/costs.h"

namespace sluice {

enum class FlashAttention : uint8_t {
  automatic,  // the adapter's choice: what is exact and fast for this device and these cache types
  on,
  off,
};

struct LoadOptions {
  std::string model_path;
  uint32_t lanes = 8;       // sequences the runtime must hold
  uint32_t window = 0;      // tokens of one sequence
  uint32_t threads = 0;     // 0: as many as the cores this process may use
  uint32_t batch = 2048;    // tokens of one call at most
  uint32_t ubatch = 512;    // tokens of one pass at most
  int32_t gpu_layers = -1;  // -1: all that fit
  std::string device;       // empty: the runtime's choice
  std::string cache_type_k = "f16";
  std::string cache_type_v = "f16";
  FlashAttention flash_attention = FlashAttention::automatic;
  bool choose_on_cpu = false;  // tokens are chosen beside the logits on a CPU too, where that gains nothing: for tests
  bool tune = false;           // measure what flash_attention and threads leave open, and choose (runtime/tuning.h)
  // The engine's: predicted time of a step's prefill part at most; by class (interactive, completion, agent,
  // background) the lanes it holds at most, 0 for no bound, and the time from token to token that its answers ask for,
  // 0 for none.
  Duration chunk_time = limits::chunk_time_default;
  std::array<uint32_t, 4> class_lanes{};
  std::array<Duration, 4> pace = limits::pace_default;
  Costs costs;  // what it learned when the model was last served so; nothing where that is not known
};

}  // namespace sluice
