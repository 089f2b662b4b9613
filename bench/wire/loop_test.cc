#include "bench/wire/loop.h"

#include <gmock/gmock.h>

#include "bench/wire/scripted_server.h"

namespace sluice::bench {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

constexpr const char* kHead = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n";

Recording record(const Address& address, Duration silence_max = 60s) {
  Loop loop;
  Recording got;
  loop.send(address, get_request(address, "/", {}), {}, silence_max,
            [&](Recording recording) { got = std::move(recording); });
  loop.run();
  return got;
}

TEST(Loop, AnAnswerIsRecordedWithWhenItCame) {
  const ScriptedServer server({kHead, "01234", "56789"});
  const Recording got = record(server.address());
  EXPECT_EQ(got.end, WireEnd::whole);
  EXPECT_EQ(got.status, 200);
  EXPECT_EQ(got.body, "0123456789");
  ASSERT_FALSE(got.marks.empty());
  EXPECT_EQ(got.marks.back().body_end, 10u);
  EXPECT_LE(got.sent, got.marks.front().at);
  EXPECT_EQ(got.marks.back().at, got.ended);
  EXPECT_EQ(arrival_of(got, 10), got.ended);
  EXPECT_EQ(arrival_of(got, 1), got.marks.front().at);
}

TEST(Loop, AnAnswerThatBreaksOffIsCut) {
  const ScriptedServer server({kHead, "01234"});
  const Recording got = record(server.address());
  EXPECT_EQ(got.end, WireEnd::cut);
  EXPECT_EQ(got.body, "01234");
}

TEST(Loop, AConnectionThatClosesWithoutAWordIsReset) {
  const ScriptedServer server({});
  EXPECT_EQ(record(server.address()).end, WireEnd::reset);
}

TEST(Loop, OtherWordsAreNotHttp) {
  const ScriptedServer server({"220 mail.example ESMTP\r\n\r\n"});
  EXPECT_EQ(record(server.address()).end, WireEnd::not_http);
}

TEST(Loop, NobodyListensIsUnreachableWithTheReason) {
  boost::asio::io_context io;
  boost::asio::ip::tcp::acceptor acceptor(io, {boost::asio::ip::make_address("127.0.0.1"), 0});
  const Address address{acceptor.local_endpoint(), "127.0.0.1", ""};
  acceptor.close();
  const Recording got = record(address);
  EXPECT_EQ(got.end, WireEnd::unreachable);
  EXPECT_FALSE(got.why.empty());
}

TEST(Loop, AServerThatSaysNothingIsGivenUp) {
  boost::asio::io_context io;
  boost::asio::ip::tcp::acceptor acceptor(io, {boost::asio::ip::make_address("127.0.0.1"), 0});
  EXPECT_EQ(record({acceptor.local_endpoint(), "127.0.0.1", ""}, 1ms).end, WireEnd::silent);
}

TEST(Loop, ActionsComeInTheirOrderAndCanBeCancelled) {
  Loop loop;
  std::vector<int> order;
  const TimePoint now = Clock::now();
  loop.at(now + 2ms, [&] {
    order.push_back(2);
    loop.cancel_actions();
  });
  loop.at(now + 1ms, [&] { order.push_back(1); });
  loop.at(now + 1h, [&] { order.push_back(3); });
  loop.run();
  EXPECT_THAT(order, ElementsAre(1, 2));
}

TEST(Loop, RequestsMayBeSentFromWithinAnAnswer) {
  const ScriptedServer server({kHead, "0123456789"});
  Loop loop;
  int answers = 0;
  const Address address = server.address();
  loop.send(address, get_request(address, "/", {}), {}, 60s, [&](const Recording&) {
    ++answers;
    loop.send(address, get_request(address, "/", {}), {}, 60s, [&](const Recording&) { ++answers; });
  });
  loop.run();
  EXPECT_EQ(answers, 2);
}

TEST(Address, ATrailingSlashOrVersionIsNoPartOfPaths) {
  const auto address = resolve("http://127.0.0.1:81/openai/v1/");
  ASSERT_TRUE(address);
  const std::string request = post_request(*address, "/v1/x", {{"A", "b"}}, "{}");
  EXPECT_EQ(request,
            "POST /openai/v1/x HTTP/1.1\r\nHost: 127.0.0.1:81\r\nConnection: close\r\nA: b\r\n"
            "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_FALSE(resolve("https://127.0.0.1"));
}

}  // namespace
}  // namespace sluice::bench
