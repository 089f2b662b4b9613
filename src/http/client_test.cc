#include "http/client.h"

#include <gtest/gtest.h>

#include "http/test_server.h"

namespace sluice::http {
namespace {

std::string url_of(const TestServer& server, std::string_view path) {
  return "http://127.0.0.1:" + std::to_string(server.port()) + std::string(path);
}

TEST(Client, SendsItsBodyAndHeadersAndTakesAStreamAsItComes) {
  TestServer server({}, [](const std::shared_ptr<Exchange>& exchange) {
    const Request& request = exchange->request();
    exchange->begin_stream(200, "text/plain", {});
    exchange->write(request.body + "|");
    exchange->write(std::string(*request.header("X-Test")) + "|" + request.path + "?" + request.query);
    exchange->end_stream();
  });
  std::string got;
  const auto status = post_stream(url_of(server, "/a?b"), "body", {{"X-Test", "7"}}, [&](int, std::string_view bytes) {
    got += bytes;
    return true;
  });
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(*status, 200);
  EXPECT_EQ(got, "body|7|/a?b");
}

TEST(Client, GivesTheStatusAndBodyOfARefusal) {
  TestServer server(
      {}, [](const std::shared_ptr<Exchange>& exchange) { exchange->reply({404, {}, "text/plain", "no such thing"}); });
  std::string got;
  const auto status = get(url_of(server, "/"), {}, [&](int at, std::string_view bytes) {
    EXPECT_EQ(at, 404);
    got += bytes;
    return true;
  });
  ASSERT_TRUE(status);
  EXPECT_EQ(*status, 404);
  EXPECT_EQ(got, "no such thing");
}

TEST(Client, LeavesWhenItsCallerHasEnough) {
  Event gone;
  TestServer server({}, [&](const std::shared_ptr<Exchange>& exchange) {
    exchange->on_gone([&] { gone.set(); });
    exchange->begin_stream(200, "text/plain", {});
    exchange->write("one");
  });
  const auto status = get(url_of(server, "/"), {}, [](int, std::string_view) { return false; });
  EXPECT_TRUE(status);
  EXPECT_TRUE(gone.wait());
}

TEST(Client, SaysThatNobodyListens) {
  uint16_t port = 0;
  {
    const TestServer server;
    port = server.port();
  }
  const auto status = get("http://127.0.0.1:" + std::to_string(port), {}, [](int, std::string_view) { return true; });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::io);
}

TEST(Client, SaysThatTheServerIsSilent) {
  TestServer server;
  ClientWaits waits;
  waits.silence_max = std::chrono::milliseconds(50);
  const auto status = get(url_of(server, "/"), {}, [](int, std::string_view) { return true; }, waits);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::timed_out);
}

TEST(Client, EndsWhenItIsToldToStop) {
  std::stop_source source;
  Event gone;
  TestServer server({}, [&](const std::shared_ptr<Exchange>& exchange) {
    exchange->on_gone([&] { gone.set(); });
    source.request_stop();
  });
  ClientWaits waits;
  waits.stop = source.get_token();
  const auto status = get(url_of(server, "/"), {}, [](int, std::string_view) { return true; }, waits);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::cancelled);
  EXPECT_TRUE(gone.wait());
}

TEST(Client, SaysThatAnAnswerWasCutShort) {
  Bounds bounds;
  bounds.send_buffer_bytes_max = 10;
  TestServer server(bounds, [](const std::shared_ptr<Exchange>& exchange) {
    exchange->begin_stream(200, "text/plain", {});
    exchange->write("more than ten bytes");
  });
  const auto status = get(url_of(server, "/"), {}, [](int, std::string_view) { return true; });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace sluice::http
