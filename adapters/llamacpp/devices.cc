#include "adapters/llamacpp/devices.h"

#include <fmt/format.h>

#include "ggml-backend.h"

namespace sluice::llamacpp {
namespace {

bool is_gpu(ggml_backend_dev_t device) {
  const auto type = ggml_backend_dev_type(device);
  return type == GGML_BACKEND_DEVICE_TYPE_GPU || type == GGML_BACKEND_DEVICE_TYPE_IGPU;
}

bool any_gpu() {
  for (size_t i = 0; i < ggml_backend_dev_count(); ++i)
    if (is_gpu(ggml_backend_dev_get(i))) return true;
  return false;
}

Result<DeviceChoice> named(const std::string& name) {
  if (name == "none") return DeviceChoice{{nullptr}, false};
  auto* device = ggml_backend_dev_by_name(name.c_str());
  if (device == nullptr)
    return fail(ErrorCode::invalid, fmt::format("no device \"{}\"; there are none, {}", name, device_names()),
                "device");
  if (!is_gpu(device)) return DeviceChoice{{nullptr}, false};
  return DeviceChoice{{device, nullptr}, true};
}

}  // namespace

Result<DeviceChoice> choose_devices(const std::string& name, int32_t gpu_layers) {
  if (gpu_layers < -1)
    return fail(ErrorCode::invalid, fmt::format("{} layers; -1 stands for all", gpu_layers), "gpu-layers");
  auto choice = name.empty() ? Result<DeviceChoice>(DeviceChoice{{}, any_gpu()}) : named(name);
  if (!choice) return choice;
  if (gpu_layers > 0 && !choice->offloads)
    return fail(ErrorCode::invalid,
                fmt::format("no device to put {} layers on; there are {}", gpu_layers, device_names()), "gpu-layers");
  if (gpu_layers == 0) choice->offloads = false;
  return choice;
}

std::string device_names() {
  std::string names;
  for (size_t i = 0; i < ggml_backend_dev_count(); ++i)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", ggml_backend_dev_name(ggml_backend_dev_get(i)));
  return names;
}

}  // namespace sluice::llamacpp
