// Which machine this is, as far as speed is concerned: its processor, the cores we may use, its graphics devices. Thin.
// Thread: any.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sluice::tuning {

// "AMD EPYC 9B14 (25-17-1), 2 cores, no graphics device".
std::string machine_words();

std::string processor_of(
    std::string_view cpuinfo);  // of the text of /proc/cpuinfo; "unknown processor" where it names none
// Vendor and device numbers, as below /sys/bus/pci/devices. A driver that comes or goes is not seen.
std::string graphics_of(const std::filesystem::path& pci_devices);

}  // namespace sluice::tuning
