// The devices this build of the library can compute on, by name. Refuses to know models. Thread: step.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

struct ggml_backend_device;

namespace sluice::llamacpp {

struct DeviceChoice {
  // As the library takes it: ends with nullptr; empty: the library chooses.
  std::vector<ggml_backend_device*> devices;
  bool offloads = false;  // layers go to a device other than the CPU
};

// `name` empty: every GPU there is. "none" and the CPU's own name: no GPU.
// Errors: invalid, field "device" or "gpu-layers".
Result<DeviceChoice> choose_devices(const std::string& name, int32_t gpu_layers);

std::string device_names();  // "CPU", "CUDA0, CPU"

}  // namespace sluice::llamacpp
