#include "tuning/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace sluice::tuning {
namespace {

namespace fs = std::filesystem;

TEST(Machine, AProcessorIsNamedAsItNamesItself) {
  EXPECT_EQ(processor_of("processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC 9B14\n"
                         "stepping\t: 1\nprocessor\t: 1\nmodel name\t: other\n"),
            "AMD EPYC 9B14 (25-17-1)");
}

TEST(Machine, AnArmProcessorIsNamedByItsNumbers) {
  EXPECT_EQ(processor_of("CPU implementer\t: 0x41\nCPU part\t: 0xd40\n"), "processor 0x41 0xd40");
}

TEST(Machine, AnUnknownProcessorIsNoError) { EXPECT_EQ(processor_of(""), "unknown processor"); }

TEST(Machine, GraphicsDevicesAreToldInOneOrder) {
  const fs::path folder = fs::path(testing::TempDir()) / ("sluice-machine-test-" + std::to_string(::getpid()));
  EXPECT_EQ(graphics_of(folder), "no graphics device");
  const auto add = [&folder](const char* name, const char* kind, const char* vendor, const char* device) {
    fs::create_directories(folder / name);
    std::ofstream(folder / name / "class") << kind << "\n";
    std::ofstream(folder / name / "vendor") << vendor << "\n";
    std::ofstream(folder / name / "device") << device << "\n";
  };
  add("b", "0x030200", "0x10de", "0x2335");
  add("a", "0x030000", "0x1002", "0x73bf");
  add("c", "0x020000", "0x8086", "0x1533");  // a network card
  EXPECT_EQ(graphics_of(folder), "0x1002:0x73bf 0x10de:0x2335");
  fs::remove_all(folder);
}

TEST(Machine, ThisOneHasCores) { EXPECT_THAT(machine_words(), testing::HasSubstr(" core")); }

}  // namespace
}  // namespace sluice::tuning
