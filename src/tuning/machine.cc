#include "tuning/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "base/file_text.h"
#include "base/usable_cores.h"

namespace sluice::tuning {
namespace {

constexpr std::string_view kDisplayClass = "0x03";  // of PCI

std::string first_line_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string value_of(std::string_view text, std::string_view label) {
  const size_t found = text.find(label);
  if (found == std::string_view::npos) return {};
  std::string_view line = text.substr(found, text.find('\n', found) - found);
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  line.remove_prefix(colon + 1);
  const size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string() : std::string(line.substr(first));
}

}  // namespace

// x86 gives a name, which a hypervisor may make the same for all, and numbers; arm64 gives numbers.
std::string processor_of(std::string_view cpuinfo) {
  const std::string name = value_of(cpuinfo, "model name");
  if (!name.empty())
    return fmt::format("{} ({}-{}-{})", name, value_of(cpuinfo, "cpu family"), value_of(cpuinfo, "model\t"),
                       value_of(cpuinfo, "stepping"));
  const std::string part = value_of(cpuinfo, "CPU part");
  return part.empty() ? "unknown processor"
                      : fmt::format("processor {} {}", value_of(cpuinfo, "CPU implementer"), part);
}

std::string graphics_of(const std::filesystem::path& pci_devices) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& device : std::filesystem::directory_iterator(pci_devices, error)) {
    if (!first_line_of(device.path() / "class").starts_with(kDisplayClass)) continue;
    found.push_back(first_line_of(device.path() / "vendor") + ":" + first_line_of(device.path() / "device"));
  }
  std::ranges::sort(found);  // a folder has no order
  return found.empty() ? "no graphics device" : fmt::format("{}", fmt::join(found, " "));
}

std::string machine_words() {
  const uint32_t cores = usable_cores();
  return fmt::format("{}, {} core{}, {}", processor_of(text_of_file("/proc/cpuinfo")), cores, cores == 1 ? "" : "s",
                     graphics_of("/sys/bus/pci/devices"));
}

}  // namespace sluice::tuning
