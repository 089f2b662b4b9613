#include "core/core.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Classes, AreFoundByTheirNamesAndByNoOther) {
  for (const Class cls : kClasses) EXPECT_EQ(find_class(name_of(cls)), cls);
  for (const char* wrong : {"", "Agent", "agent ", "batch", "0"}) EXPECT_EQ(find_class(wrong), std::nullopt) << wrong;
}

TEST(Classes, AreInTheOrderInWhichTheyGo) {
  for (size_t i = 1; i < std::size(kClasses); ++i) EXPECT_LT(kClasses[i - 1], kClasses[i]);
}

}  // namespace
}  // namespace sluice
