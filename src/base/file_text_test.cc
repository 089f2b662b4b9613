#include "base/file_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace sluice {
namespace {

TEST(FileText, IsAllThatTheFileSays) {
  const std::string path = testing::TempDir() + "file_text_test." + std::to_string(getpid()),
                    text = std::string(10'000, 'a') + "\nb";
  std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(text_of_file(path), text);
  std::filesystem::remove(path);
}

TEST(FileText, OfAFileOfTheKernelIsNotEmpty) { EXPECT_TRUE(text_of_file("/proc/self/stat").contains("base_test")); }

TEST(FileText, OfWhatIsNotThereIsEmpty) { EXPECT_EQ(text_of_file("/proc/no such file"), ""); }

// As when a process ends between the opening of its file and the reading.
TEST(FileText, OfWhatOpensAndCannotBeReadIsEmpty) { EXPECT_EQ(text_of_file(testing::TempDir()), ""); }

}  // namespace
}  // namespace sluice
