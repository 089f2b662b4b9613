#include "admission/presented_key.h"

#include <gtest/gtest.h>

namespace sluice::admission {
namespace {

TEST(PresentedKey, IsTheBearerTokenInAnyCase) {
  EXPECT_EQ(presented_key("Bearer sk-1", std::nullopt), "sk-1");
  EXPECT_EQ(presented_key("bEARER  sk-1 ", std::nullopt), "sk-1");
}

TEST(PresentedKey, IsTheApiKeyHeaderWhereNoBearerTokenIs) {
  EXPECT_EQ(presented_key(std::nullopt, "sk-2"), "sk-2");
  EXPECT_EQ(presented_key("Basic dXNlcg==", "sk-2"), "sk-2");
  EXPECT_EQ(presented_key("Bearer sk-1", "sk-2"), "sk-1");
}

TEST(PresentedKey, IsAbsentWhereNoneIsSent) {
  EXPECT_EQ(presented_key(std::nullopt, std::nullopt), std::nullopt);
  EXPECT_EQ(presented_key("Basic dXNlcg==", std::nullopt), std::nullopt);
  EXPECT_EQ(presented_key("Bearer", std::nullopt), std::nullopt);
}

}  // namespace
}  // namespace sluice::admission
