#include "api/openai/parse_terms.h"

#include <gtest/gtest.h>

#include "api/openai/parse.h"

namespace sluice::api::openai {
namespace {

using namespace std::chrono_literals;

Result<Terms> terms(const std::string& fields) {
  auto request = parse_completion(R"({"prompt":"hi",)" + fields + "}", {.window = 4096, .vocabulary = 1000});
  if (!request) return std::unexpected(request.error());
  return request->terms;
}

std::string class_of(const std::string& fields) {
  const auto taken = terms(fields);
  if (!taken) return "refused: " + taken.error().field;
  return taken->cls ? std::string(name_of(*taken->cls)) : "none";
}

TEST(BodyTerms, ClassPriorityAndTierNameAClass) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("n":1)", "none"},
      {R"("class":"interactive")", "interactive"},
      {R"("class":"completion")", "completion"},
      {R"("class":null)", "none"},
      {R"("priority":-1)", "interactive"},
      {R"("priority":0)", "none"},
      {R"("priority":1)", "background"},
      {R"("priority":2147483647)", "background"},
      {R"("service_tier":"auto")", "none"},
      {R"("service_tier":"default")", "none"},
      {R"("service_tier":"priority")", "interactive"},
      {R"("service_tier":"flex")", "background"},
      {R"("class":"background","priority":3,"service_tier":"flex")", "background"},
      {R"("class":"agent","priority":0,"service_tier":"auto")", "agent"},
      {R"("class":"fast")", "refused: class"},
      {R"("class":1)", "refused: class"},
      {R"("priority":"high")", "refused: priority"},
      {R"("priority":0.5)", "refused: priority"},
      {R"("priority":2147483648)", "refused: priority"},
      {R"("service_tier":"scale")", "refused: service_tier"},
      {R"("service_tier":1)", "refused: service_tier"},
      {R"("class":"agent","priority":1)", "refused: priority"},
      {R"("priority":-1,"service_tier":"flex")", "refused: service_tier"},
  };
  for (const auto& [fields, wanted] : cases) EXPECT_EQ(class_of(fields), wanted) << fields;
}

TEST(BodyTerms, ARefusalListsWhatIsPossible) {
  EXPECT_EQ(terms(R"("class":"fast")").error().message,
            R"(class must be one of "interactive", "completion", "agent", "background", not "fast")");
  EXPECT_EQ(terms(R"("service_tier":"scale")").error().message,
            R"(service_tier must be one of "auto", "default", "priority", "flex", not "scale")");
  EXPECT_EQ(terms(R"("class":"agent","priority":1)").error().message,
            "priority means the class background, and class means agent; send one of them");
}

TEST(BodyTerms, ATimeoutIsInSeconds) {
  EXPECT_EQ(terms(R"("timeout":1.5)")->time, 1500ms);
  EXPECT_EQ(terms(R"("timeout":86400)")->time, 24h);
  for (const char* wrong : {"0", "-1", "86401", "1e-12", "\"5\""}) {
    const auto refused = terms(R"("timeout":)" + std::string(wrong));
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().field, "timeout");
  }
}

TEST(BodyTerms, TheFirstSessionCountsInTheirOrder) {
  EXPECT_EQ(terms(R"("user":"3","metadata":{"user_id":"2"},"prompt_cache_key":"1")")->session, "1");
  EXPECT_EQ(terms(R"("user":"3","metadata":{"user_id":"2"})")->session, "2");
  EXPECT_EQ(terms(R"("user":"3","metadata":{"other":7})")->session, "3");
  EXPECT_EQ(terms(R"("user":"3","prompt_cache_key":"")")->session, "3");
  EXPECT_EQ(terms(R"("n":1)")->session, "");
  EXPECT_EQ(terms(R"("metadata":{"user_id":7})").error().field, "metadata.user_id");
  EXPECT_EQ(terms(R"("user":7)").error().field, "user");
}

}  // namespace
}  // namespace sluice::api::openai
