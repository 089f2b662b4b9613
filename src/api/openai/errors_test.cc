#include "api/openai/errors.h"

#include <gtest/gtest.h>

namespace sluice::api::openai {
namespace {

TEST(OpenAiErrors, EachCodeHasItsStatus) {
  const std::pair<ErrorCode, int> wanted[] = {
      {ErrorCode::invalid, 400},
      {ErrorCode::unsupported, 400},
      {ErrorCode::context_length, 400},
      {ErrorCode::not_found, 404},
      {ErrorCode::unauthorized, 401},
      {ErrorCode::too_large, 413},
      {ErrorCode::overloaded, 503},
      {ErrorCode::unavailable, 503},
      {ErrorCode::cancelled, 503},
      {ErrorCode::timed_out, 504},
      {ErrorCode::capacity, 503},
      {ErrorCode::fault, 500},
      {ErrorCode::fatal, 500},
      {ErrorCode::worker_lost, 503},
      {ErrorCode::protocol, 500},
      {ErrorCode::io, 500},
      {ErrorCode::internal, 500},
      {ErrorCode::rate_limit_requests, 429},
      {ErrorCode::rate_limit_tokens, 429},
      {ErrorCode::concurrency_limit, 429},
      {ErrorCode::key_queue_full, 429},
      {ErrorCode::queue_full, 503},
      {ErrorCode::queue_timeout, 503},
      {ErrorCode::queue_too_long, 503},
      {ErrorCode::key_queue_too_long, 429},
  };
  EXPECT_EQ(std::size(wanted), static_cast<size_t>(kLastErrorCode) + 1);
  for (const auto& [code, status] : wanted) EXPECT_EQ(status_of(code), status) << name_of(code);
}

TEST(OpenAiErrors, TheBodyIsOpenAisEnvelope) {
  EXPECT_EQ(error_response({ErrorCode::invalid, "n must be \"1\"", "n"}).body,
            R"({"error":{"message":"n must be \"1\"","type":"invalid_request_error","param":"n",)"
            R"("code":"invalid_value"}})");
  EXPECT_EQ(error_response({ErrorCode::internal, "oops", ""}).body,
            R"({"error":{"message":"oops","type":"server_error","param":null,"code":"internal"}})");
}

TEST(OpenAiErrors, ClientsFindTheCodesTheyBranchOn) {
  EXPECT_EQ(code_of({ErrorCode::context_length, "", ""}), "context_length_exceeded");
  EXPECT_EQ(code_of({ErrorCode::not_found, "", "model"}), "model_not_found");
  EXPECT_EQ(code_of({ErrorCode::not_found, "", ""}), "not_found");
  EXPECT_EQ(code_of({ErrorCode::unauthorized, "", ""}), "invalid_api_key");
  EXPECT_EQ(code_of({ErrorCode::unsupported, "", ""}), "unsupported");
}

TEST(OpenAiErrors, RetryAfterComesWithWhatWorksLater) {
  const auto retry_after = [](ErrorCode code) {
    const auto response = error_response({code, "", ""});
    for (const auto& header : response.headers) {
      if (header.name == "Retry-After") return header.value;
    }
    return std::string();
  };
  EXPECT_EQ(retry_after(ErrorCode::overloaded), "2");
  EXPECT_EQ(retry_after(ErrorCode::unavailable), "2");
  EXPECT_EQ(retry_after(ErrorCode::invalid), "");
  EXPECT_EQ(retry_after(ErrorCode::internal), "");
}

TEST(OpenAiErrors, RetryAfterIsWhatTheErrorKnows) {
  const auto response = error_response({ErrorCode::rate_limit_requests, "", "", std::chrono::seconds(17)});
  ASSERT_EQ(response.headers.size(), 1u);
  EXPECT_EQ(response.headers[0].value, "17");
}

}  // namespace
}  // namespace sluice::api::openai
