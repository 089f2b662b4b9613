// What happens to an answer whose client has left.
#include <gtest/gtest.h>

#include "http/test_server.h"

namespace sluice::http {
namespace {

// A server with one request whose answer is being made.
class Gone : public testing::Test {
 protected:
  void open(TestServer& on) {
    client->send(get_request("/"));
    exchange = on.next_exchange();
    ASSERT_TRUE(exchange);
    on.on_core([&] { exchange->on_gone([&] { gone.set(); }); });
  }
  void open() { open(server); }
  void begin_stream() {
    server.on_core([&] {
      exchange->begin_stream(200, "text/event-stream", {});
      exchange->write("first");
    });
    client->read_until("first");
  }

  TestServer server;
  std::unique_ptr<RawClient> client = std::make_unique<RawClient>(server.port());
  std::shared_ptr<Exchange> exchange;
  Event gone;
};

TEST_F(Gone, AClientThatClosesWhileItWaitsIsNoticed) {
  open();
  client->close();
  EXPECT_TRUE(gone.wait());
  EXPECT_TRUE(exchange->gone());
  server.reply(exchange, {});
  EXPECT_EQ(server.connections(), 0u);
}

TEST_F(Gone, AClientThatResetsWhileItWaitsIsNoticed) {
  open();
  client->reset();
  EXPECT_TRUE(gone.wait());
}

TEST_F(Gone, AClientThatClosesDuringAStreamIsNoticed) {
  open();
  begin_stream();
  client->close();
  EXPECT_TRUE(gone.wait());
  server.on_core([&] {
    exchange->write("ignored");
    exchange->end_stream();
  });
  EXPECT_EQ(server.connections(), 0u);
}

TEST_F(Gone, AClientThatResetsDuringAStreamIsNoticed) {
  open();
  begin_stream();
  client->reset();
  EXPECT_TRUE(gone.wait());
}

TEST_F(Gone, AClientThatPipelinedAndLeftIsNoticed) {
  open();
  client->send(get_request("/more"));
  client->close();
  EXPECT_TRUE(gone.wait());
}

TEST_F(Gone, AClientThatReadsNothingLosesItsStreamAtTheBufferLimit) {
  Bounds bounds;
  bounds.send_buffer_bytes_max = 100'000;
  TestServer small(bounds);
  client = std::make_unique<RawClient>(small.port(), 4096);
  open(small);
  small.on_core([&] { exchange->begin_stream(200, "text/event-stream", {}); });
  bool left = false;
  for (int i = 0; i < 10'000 && !left; ++i) {
    small.on_core([&] {
      left = exchange->gone();
      exchange->write(std::string(10'000, 'x'));
    });
  }
  EXPECT_TRUE(left);
  EXPECT_TRUE(gone.wait());
  EXPECT_EQ(small.connections(), 0u);
}

TEST_F(Gone, OneEventMayNotWriteMoreThanTheBufferTakes) {
  Bounds bounds;
  bounds.send_buffer_bytes_max = 1000;
  TestServer small(bounds);
  client = std::make_unique<RawClient>(small.port());
  open(small);
  small.on_core([&] {
    exchange->begin_stream(200, "text/event-stream", {});
    exchange->write(std::string(1001, 'x'));
    EXPECT_FALSE(exchange->gone()) << "told from within write()";
    exchange->end_stream();
  });
  EXPECT_TRUE(gone.wait());
}

TEST_F(Gone, AClientThatTakesNothingForTooLongIsClosed) {
  Bounds bounds;
  bounds.write_stall_time_max = std::chrono::milliseconds(50);
  TestServer small(bounds);
  client = std::make_unique<RawClient>(small.port(), 4096);
  open(small);
  Event finished;
  small.on_core([&] {
    exchange->begin_stream(200, "text/event-stream", {});
    exchange->write(std::string(3'900'000, 'x'));
  });
  EXPECT_TRUE(gone.wait());
}

TEST_F(Gone, AnAnswerThatIsWholeIsNotGone) {
  open();
  server.reply(exchange, {200, {}, "text/plain", "done"});
  EXPECT_EQ(client->read_answer().body, "done");
  client->close();
  RawClient other(server.port());
  other.send(get_request("/"));
  const auto next = server.next_exchange();  // the close before it has been seen
  ASSERT_TRUE(next);
  EXPECT_FALSE(exchange->gone());
}

}  // namespace
}  // namespace sluice::http
