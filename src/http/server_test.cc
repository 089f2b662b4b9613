// A server's beginning and end.
#include "http/server.h"

#include <gtest/gtest.h>

#include "http/connection.h"
#include "http/test_server.h"

namespace sluice::http {
namespace {

Result<std::unique_ptr<Server>> create(boost::asio::io_context& core, std::string host, uint16_t port) {
  return Server::create(
      core, {std::move(host), port, {}}, [](const auto&) {}, [](int, const Error&) { return std::string(); });
}

TEST(Server, SaysThatItsAddressIsInUse) {
  boost::asio::io_context core;
  const auto first = create(core, "127.0.0.1", 0);
  ASSERT_TRUE(first);
  const auto second = create(core, "127.0.0.1", (*first)->port());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::io);
  EXPECT_NE(second.error().message.find("another program listens there"), std::string::npos);
  EXPECT_NE(second.error().message.find(std::to_string((*first)->port())), std::string::npos);
}

TEST(Server, SaysThatAnAddressIsNotThisMachines) {
  boost::asio::io_context core;
  const auto server = create(core, "192.0.2.1", 0);
  ASSERT_FALSE(server);
  EXPECT_EQ(server.error().code, ErrorCode::io);
}

TEST(Server, StopAcceptingLeavesConnectionsServed) {
  TestServer server;
  RawClient client(server.port());
  client.send(get_request("/1"));
  const auto first = server.next_exchange();
  ASSERT_TRUE(first);
  server.on_core([&] { server.server().stop_accepting(); });
  server.reply(first, {});
  EXPECT_EQ(client.read_answer().status, 200);
  client.send(get_request("/2"));
  EXPECT_TRUE(server.next_exchange());
  RawAnswer refused;
  boost::asio::io_context other;
  EXPECT_TRUE(create(other, "127.0.0.1", server.port())) << "the address is free again";
}

TEST(Server, DrainClosesIdleConnectionsAndTellsWhenTheLastAnswerIsWhole) {
  TestServer server;
  RawClient idle(server.port());
  RawClient busy(server.port());
  busy.send(get_request("/"));
  const auto exchange = server.next_exchange();
  ASSERT_TRUE(exchange);
  Event all_closed;
  server.on_core([&] { server.server().close_when_idle([&] { all_closed.set(); }); });
  EXPECT_TRUE(idle.ended());
  EXPECT_EQ(server.connections(), 1u);
  server.on_core([&] {
    exchange->begin_stream(200, "text/plain", {});
    exchange->write("last words");
    exchange->end_stream();
  });
  const auto answer = busy.read_answer();
  EXPECT_EQ(answer.body, "last words");
  EXPECT_EQ(answer.headers.at("connection"), "close");
  EXPECT_TRUE(busy.ended());
  EXPECT_TRUE(all_closed.wait());
}

TEST(Server, DrainAnswersARequestOfWhichOnlyAPartHasCome) {
  TestServer server;
  RawClient client(server.port());
  client.send("GET /half HT");
  RawClient other(server.port());
  other.send(get_request("/"));
  const auto first = server.next_exchange();  // what came before it has been read
  ASSERT_TRUE(first);
  server.on_core([&] { server.server().close_when_idle([] {}); });
  client.send("TP/1.1\r\n\r\n");
  const auto half = server.next_exchange();
  ASSERT_TRUE(half);
  server.reply(half, {});
  EXPECT_EQ(client.read_answer().headers.at("connection"), "close");
}

TEST(Server, DrainOfAServerWithoutConnectionsIsToldToo) {
  TestServer server;
  Event all_closed;
  server.on_core([&] { server.server().close_when_idle([&] { all_closed.set(); }); });
  EXPECT_TRUE(all_closed.wait());
}

TEST(Server, MayEndWhileAnswersAreMade) {
  std::shared_ptr<Exchange> exchange;
  RawClient* client = nullptr;
  {
    TestServer server;
    client = new RawClient(server.port());
    client->send(get_request("/"));
    exchange = server.next_exchange();
    ASSERT_TRUE(exchange);
  }
  EXPECT_TRUE(exchange->gone());
  exchange->reply({});
  delete client;
}

TEST(ConnectionState, OnlyTheseStepsAreLegal) {
  using enum ConnectionState;
  const std::pair<ConnectionState, std::vector<ConnectionState>> legal[] = {
      {idle, {head, finishing, closed}},
      {head, {body, answering, finishing, closed}},
      {body, {answering, finishing, closed}},
      {answering, {finishing, closed}},
      {finishing, {idle, lingering, closed}},
      {lingering, {closed}},
      {closed, {}},
  };
  for (const auto& [from, nexts] : legal) {
    for (int to = 0; to <= static_cast<int>(closed); ++to) {
      const auto next = static_cast<ConnectionState>(to);
      const bool wanted = std::find(nexts.begin(), nexts.end(), next) != nexts.end();
      EXPECT_EQ(may_follow(from, next), wanted) << name_of(from) << " to " << name_of(next);
    }
  }
}

}  // namespace
}  // namespace sluice::http
