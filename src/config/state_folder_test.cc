#include "config/state_folder.h"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

TEST(StateFolder, TheVariableForItComesFirst) {
  EXPECT_EQ(state_folder_of("/var/state", "/home/ann"), "/var/state/sluice");
}

TEST(StateFolder, ElseItIsInTheHomeFolder) {
  EXPECT_EQ(state_folder_of(nullptr, "/home/ann"), "/home/ann/.local/state/sluice");
  EXPECT_EQ(state_folder_of("", "/home/ann"), "/home/ann/.local/state/sluice");
  EXPECT_EQ(state_folder_of("not/absolute", "/home/ann"), "/home/ann/.local/state/sluice");
}

TEST(StateFolder, WithoutEitherThereIsNone) {
  EXPECT_EQ(state_folder_of(nullptr, nullptr), "");
  EXPECT_EQ(state_folder_of("", ""), "");
}

}  // namespace
}  // namespace sluice::config
