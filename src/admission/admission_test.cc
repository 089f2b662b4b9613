#include "admission/admission.h"

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

TEST(KeyRing, WithoutKeysRequiresNone) { EXPECT_FALSE(KeyRing({}).required()); }

TEST(KeyRing, NamesAKeyByItsPlaceAndNotByItsText) {
  const KeyRing ring({"alpha", "beta"});
  EXPECT_TRUE(ring.required());
  EXPECT_EQ(ring.label_of("alpha"), "key1");
  EXPECT_EQ(ring.label_of("beta"), "key2");
}

TEST(KeyRing, RefusesEveryNearMiss) {
  const KeyRing ring({"abab"});
  for (const char* wrong : {"", "a", "ab", "aba", "ababa", "abababab", "abac", "Abab", " abab"}) {
    EXPECT_EQ(ring.label_of(wrong), std::nullopt) << wrong;
  }
  EXPECT_EQ(ring.label_of(std::string_view("abab\0", 5)), std::nullopt);
}

TEST(KeyRing, AnEmptyKeyOpensNothing) {
  EXPECT_TRUE(KeyRing({""}).required());
  EXPECT_EQ(KeyRing({"", "alpha"}).label_of(""), std::nullopt);
  EXPECT_EQ(KeyRing({"", "alpha"}).label_of("alpha"), "key2");
}

}  // namespace
}  // namespace sluice::admission
