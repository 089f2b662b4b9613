// Bounds of a connection: what is too large, too slow, too many or no HTTP gets an answer and loses its connection.
#include <gtest/gtest.h>

#include "http/test_server.h"

namespace sluice::http {
namespace {

using namespace std::chrono_literals;

void never(const std::shared_ptr<Exchange>&) { ADD_FAILURE() << "a handler was called"; }

// The answer to `bytes`, which also ends the connection.
RawAnswer refusal(TestServer& server, std::string_view bytes) {
  RawClient client(server.port());
  client.send_until_refused(bytes);
  auto answer = client.read_answer();
  EXPECT_TRUE(answer.whole);
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(answer.headers["connection"], "close");
  EXPECT_EQ(answer.headers["x-request-id"].size(), 32u);
  return answer;
}

TEST(Limits, GarbageGetsABadRequestAtOnce) {
  TestServer server({}, never);
  EXPECT_EQ(refusal(server, "\x16\x03\x01\x02").status, 400);  // a TLS hello
  EXPECT_EQ(refusal(server, "HELLO\r\n\r\n").status, 400);
  EXPECT_EQ(refusal(server, "GET / HTTP/1.1\r\nbroken\r\n\r\n").body.substr(0, 12), "400 invalid:");
}

TEST(Limits, AHeaderThatIsTooLargeIsNotReadToItsEnd) {
  TestServer server({}, never);
  const auto answer = refusal(server, "GET / HTTP/1.1\r\nX: " + std::string(200'000, 'x'));
  EXPECT_EQ(answer.status, 431);
  EXPECT_NE(answer.body.find("65536 bytes"), std::string::npos) << answer.body;
}

TEST(Limits, ABodyThatIsTooLargeIsRefusedWhileTheClientStillSends) {
  Bounds bounds;
  bounds.body_bytes_max = 1000;
  TestServer server(bounds, never);
  EXPECT_EQ(refusal(server, post_request("/", std::string(2'000'000, 'x'))).status, 413);
  EXPECT_EQ(refusal(server, "POST / HTTP/1.1\r\nContent-Length: 2000\r\nExpect: 100-continue\r\n\r\n").status, 413);
}

TEST(Limits, AHeaderThatComesTooSlowlyIsRefused) {
  Bounds bounds;
  bounds.header_read_time_max = 20ms;
  TestServer server(bounds, never);
  EXPECT_EQ(refusal(server, "GET / HT").status, 408);
}

TEST(Limits, ABodyThatComesTooSlowlyIsRefused) {
  Bounds bounds;
  bounds.body_read_time_max = 20ms;
  TestServer server(bounds, never);
  EXPECT_EQ(refusal(server, "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf").status, 408);
}

TEST(Limits, AnIdleConnectionIsClosedWithoutAWord) {
  Bounds bounds;
  bounds.idle_time_max = 20ms;
  TestServer server(bounds, never);
  RawClient client(server.port());
  EXPECT_TRUE(client.ended());
}

TEST(Limits, OneConnectionTooManyIsToldSo) {
  Bounds bounds;
  bounds.connections_max = 2;
  TestServer server(bounds);
  RawClient one(server.port());
  RawClient two(server.port());
  RawClient three(server.port());
  EXPECT_EQ(three.read_answer().status, 503);
  one.send(get_request("/"));
  EXPECT_TRUE(server.next_exchange()) << "the others are served";
}

TEST(Limits, APlaceThatAClosedConnectionLeavesIsGivenAgain) {
  Bounds bounds;
  bounds.connections_max = 1;
  TestServer server(bounds, [](const std::shared_ptr<Exchange>& exchange) { exchange->reply({}); });
  for (int i = 0; i < 5; ++i) {
    RawClient client(server.port());
    client.send(get_request("/", "Connection: close\r\n"));
    EXPECT_EQ(client.read_answer().status, 200);
    EXPECT_TRUE(client.ended());
  }
}

}  // namespace
}  // namespace sluice::http
