// What an adapter is told when it loads a model, and the choices it may make itself. Thread: step.
#pragma once

#include <cstdint>
#include <string>

#include "base/time.h"

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
  Duration chunk_time{};  // the engine's: predicted time of a step's prefill part at most
};

}  // namespace sluice
