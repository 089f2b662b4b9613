#include "api/terms.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace sluice::api {
namespace {

using namespace std::chrono_literals;

Result<Terms> terms(std::vector<http::Header> headers) {
  http::Request request;
  request.headers = std::move(headers);
  return terms_of_headers(request);
}

TEST(TermsOfHeaders, AreAbsentWhereNoneAreSent) {
  const auto none = terms({{"Accept", "*/*"}});
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->cls || none->time);
  EXPECT_EQ(none->session, "");
}

TEST(TermsOfHeaders, AreTaken) {
  const auto taken = terms({{"x-sluice-class", "background"}, {"X-Sluice-Deadline-Ms", "1500"}, {"session_id", "s"}});
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(taken->cls, Class::background);
  EXPECT_EQ(taken->time, 1500ms);
  EXPECT_EQ(taken->session, "s");
}

TEST(TermsOfHeaders, AClassThatIsNoneIsToldWhichThereAre) {
  const auto refused = terms({{"X-Sluice-Class", "fast"}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().field, "X-Sluice-Class");
  EXPECT_EQ(refused.error().message,
            R"(X-Sluice-Class must be one of "interactive", "completion", "agent", "background", not "fast")");
}

TEST(TermsOfHeaders, ATimeOutOfRangeIsRefused) {
  for (const char* wrong : {"", "0", "-1", "1.5", "10s", "86400001", "99999999999999999999"}) {
    const auto refused = terms({{"X-Sluice-Deadline-Ms", wrong}});
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().field, "X-Sluice-Deadline-Ms");
  }
  EXPECT_EQ(terms({{"X-Sluice-Deadline-Ms", "86400000"}})->time, 24h);
}

TEST(TermsOfHeaders, TheFirstSessionCountsInTheirOrder) {
  std::vector<http::Header> headers{
      {"x-session-affinity", "4"}, {"session_id", "3"}, {"x-claude-code-session-id", "2"}, {"x-session-id", "1"}};
  for (const char* wanted : {"1", "2", "3", "4"}) {
    EXPECT_EQ(terms(headers)->session, wanted);
    headers.pop_back();
  }
  EXPECT_EQ(terms({{"x-session-id", ""}, {"session_id", "3"}})->session, "3");
  EXPECT_FALSE(terms({{"x-session-id", std::string(limits::session_id_bytes_max + 1, 's')}}));
}

TEST(JoinedTerms, AHeaderWins) {
  const Terms body{Class::agent, 1s, "body"};
  EXPECT_EQ(joined({Class::background, {}, ""}, body).cls, Class::background);
  EXPECT_EQ(joined({Class::background, {}, ""}, body).time, 1s);
  EXPECT_EQ(joined({{}, 2s, "header"}, body).time, 2s);
  EXPECT_EQ(joined({{}, 2s, "header"}, body).cls, Class::agent);
  EXPECT_EQ(joined({{}, 2s, "header"}, body).session, "header");
  EXPECT_EQ(joined({}, body).session, "body");
}

TEST(SessionNumber, IsOfTheKeyAndTheSessionAndStaysTheSame) {
  EXPECT_EQ(session_number(1, ""), 0u);
  EXPECT_EQ(session_number(1, "s"), session_number(1, "s"));
  EXPECT_NE(session_number(1, "s"), session_number(2, "s"));
  EXPECT_NE(session_number(1, "1s"), session_number(11, "s"));
}

}  // namespace
}  // namespace sluice::api
