#include "admission/class_choice.h"

#include <gtest/gtest.h>

namespace sluice::admission {
namespace {

config::ApiKey key_of(std::optional<Class> cls, Class max_class = Class::interactive) {
  config::ApiKey key;
  key.cls = cls;
  key.max_class = max_class;
  return key;
}

TEST(ClassChoice, TheRequestGoesBeforeTheModelNameBeforeTheKey) {
  const auto key = key_of(Class::background);
  EXPECT_EQ(choose_class(Class::interactive, Class::completion, key).cls, Class::interactive);
  EXPECT_EQ(choose_class({}, Class::completion, key).cls, Class::completion);
  EXPECT_EQ(choose_class({}, {}, key).cls, Class::background);
  EXPECT_TRUE(choose_class({}, {}, key).named);
}

TEST(ClassChoice, WhereNobodyNamesOneItIsAgentAndUnnamed) {
  const ClassChoice choice = choose_class({}, {}, {});
  EXPECT_EQ(choice.cls, Class::agent);
  EXPECT_FALSE(choice.named);
}

TEST(ClassChoice, AKeyBoundsWhatIsAskedAndWhatIsNot) {
  const auto key = key_of({}, Class::background);
  EXPECT_EQ(choose_class(Class::interactive, {}, key).cls, Class::background);
  EXPECT_EQ(choose_class({}, Class::interactive, key).cls, Class::background);
  EXPECT_EQ(choose_class({}, {}, key).cls, Class::background);
  EXPECT_FALSE(choose_class({}, {}, key).named);
  EXPECT_EQ(choose_class(Class::background, {}, key_of({}, Class::agent)).cls, Class::background);
}

}  // namespace
}  // namespace sluice::admission
