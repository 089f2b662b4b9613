// Requests and answers on one connection: one after another, pipelined, streamed, in every version and method.
#include <gtest/gtest.h>

#include "http/test_server.h"

namespace sluice::http {
namespace {

Response text(std::string body) { return {200, {}, "text/plain", std::move(body)}; }

void echo(const std::shared_ptr<Exchange>& exchange) {
  const Request& request = exchange->request();
  exchange->reply(text(std::string(name_of(request.method)) + " " + request.path + " " + request.body));
}

TEST(KeepAlive, ManyRequestsShareOneConnection) {
  TestServer server({}, echo);
  RawClient client(server.port());
  for (int i = 0; i < 3; ++i) {
    client.send(post_request("/a", std::to_string(i)));
    EXPECT_EQ(client.read_answer().body, "POST /a " + std::to_string(i));
  }
  EXPECT_EQ(server.connections(), 1u);
}

TEST(KeepAlive, ARequestMayComeByteByByte) {
  TestServer server({}, echo);
  RawClient client(server.port());
  for (const char c : post_request("/slow", "body")) client.send({&c, 1});
  EXPECT_EQ(client.read_answer().body, "POST /slow body");
}

TEST(KeepAlive, PipelinedRequestsAreAnsweredInOrder) {
  TestServer server({}, echo);
  RawClient client(server.port());
  client.send(get_request("/1") + post_request("/2", "x") + "\r\n" + get_request("/3"));
  EXPECT_EQ(client.read_answer().body, "GET /1 ");
  EXPECT_EQ(client.read_answer().body, "POST /2 x");
  EXPECT_EQ(client.read_answer().body, "GET /3 ");
}

TEST(KeepAlive, ARequestThatComesDuringAnAnswerWaitsForIt) {
  TestServer server;
  RawClient client(server.port());
  client.send(get_request("/1"));
  const auto first = server.next_exchange();
  ASSERT_TRUE(first);
  client.send(get_request("/2"));
  server.reply(first, text("one"));
  EXPECT_EQ(client.read_answer().body, "one");
  const auto second = server.next_exchange();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->request().path, "/2");
}

TEST(KeepAlive, MorePipelinedBytesThanAreReadAheadAreNotLost) {
  Bounds bounds;
  bounds.pipelined_bytes_max = 100;
  TestServer server(bounds);
  RawClient client(server.port());
  const std::string large(300'000, 'x');
  client.send(get_request("/1"));
  const auto first = server.next_exchange();
  ASSERT_TRUE(first);
  client.send(post_request("/2", large));
  server.reply(first, text("one"));
  EXPECT_EQ(client.read_answer().body, "one");
  const auto second = server.next_exchange();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->request().body, large);
}

TEST(KeepAlive, ChunkedBodiesAreRead) {
  TestServer server({}, echo);
  RawClient client(server.port());
  client.send("POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n");
  EXPECT_EQ(client.read_answer().body, "POST /c abcd");
}

TEST(KeepAlive, ContinueIsSentToAClientThatWaitsForIt) {
  TestServer server({}, echo);
  RawClient client(server.port());
  client.send("POST /e HTTP/1.1\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("body");
  EXPECT_EQ(client.read_answer().body, "POST /e body");
}

TEST(KeepAlive, HeadAndOptionsReachTheHandlerAndHeadGetsNoBody) {
  TestServer server({}, echo);
  RawClient client(server.port());
  client.send("HEAD /h HTTP/1.1\r\n\r\n");
  const auto head = client.read_answer(true);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.headers.at("content-length"), "8");
  client.send("OPTIONS * HTTP/1.1\r\n\r\n");
  EXPECT_EQ(client.read_answer().body, "OPTIONS * ");
}

TEST(KeepAlive, AStreamIsChunkedAndTheConnectionGoesOn) {
  TestServer server;
  RawClient client(server.port());
  client.send(get_request("/s"));
  const auto exchange = server.next_exchange();
  ASSERT_TRUE(exchange);
  server.on_core([&] { exchange->begin_stream(200, "text/event-stream", {{"Cache-Control", "no-cache"}}); });
  for (const std::string piece : {"one", "two"}) {
    server.on_core([&] { exchange->write(piece); });
    client.read_until(piece);  // each comes before the next is written
  }
  server.on_core([&] { exchange->end_stream(); });
  EXPECT_EQ(client.read_until("0\r\n\r\n"), "\r\n0\r\n\r\n");
  client.send(get_request("/next"));
  const auto next = server.next_exchange();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->request().path, "/next");
}

TEST(KeepAlive, AStreamToHeadHasNoBody) {
  TestServer server({}, [](const std::shared_ptr<Exchange>& exchange) {
    exchange->begin_stream(200, "text/plain", {});
    exchange->write("unseen");
    exchange->end_stream();
  });
  RawClient client(server.port());
  client.send("HEAD /1 HTTP/1.1\r\n\r\n");
  EXPECT_EQ(client.read_answer(true).status, 200);
  client.send("HEAD /2 HTTP/1.1\r\n\r\n");
  EXPECT_EQ(client.read_answer(true).status, 200);
}

TEST(KeepAlive, AnOldClientGetsAStreamThatEndsWithItsConnection) {
  TestServer server({}, [](const std::shared_ptr<Exchange>& exchange) {
    exchange->begin_stream(200, "text/plain", {});
    exchange->write("one");
    exchange->write("two");
    exchange->end_stream();
  });
  RawClient client(server.port());
  client.send("GET /s HTTP/1.0\r\n\r\n");
  const auto answer = client.read_answer();
  EXPECT_FALSE(answer.headers.contains("transfer-encoding"));
  EXPECT_EQ(answer.headers.at("connection"), "close");
  EXPECT_EQ(answer.body, "onetwo");
}

TEST(KeepAlive, ACloseThatTheClientAsksForIsDone) {
  TestServer server({}, echo);
  RawClient client(server.port());
  client.send(get_request("/", "Connection: close\r\n"));
  EXPECT_EQ(client.read_answer().headers.at("connection"), "close");
  EXPECT_TRUE(client.ended());
}

TEST(KeepAlive, TheAnswerCarriesTheClientsRequestIdOrOneMadeHere) {
  TestServer server({}, echo);
  RawClient client(server.port());
  client.send(get_request("/", "X-Request-ID: mine-7\r\n"));
  EXPECT_EQ(client.read_answer().headers.at("x-request-id"), "mine-7");
  client.send(get_request("/", "X-Request-ID: not mine\r\n"));
  EXPECT_EQ(client.read_answer().headers.at("x-request-id").size(), 32u);
}

TEST(KeepAlive, ALargeAnswerArrivesWhole) {
  const std::string large(20u << 20, 'y');
  TestServer server({}, [&](const std::shared_ptr<Exchange>& exchange) { exchange->reply(text(large)); });
  RawClient client(server.port());
  client.send(get_request("/"));
  EXPECT_TRUE(client.read_answer().body == large);
  client.send(get_request("/"));
  EXPECT_TRUE(client.read_answer().whole);
}

}  // namespace
}  // namespace sluice::http
