#include "bench/wire/framing.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace sluice::bench {
namespace {

constexpr std::string_view kChunked =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: Chunked\r\n\r\n"
    "7\r\ndata: 1\r\nA;ext=1\r\n\ndata: 23\n\r\n0\r\nTrailer: x\r\n\r\n";
constexpr std::string_view kChunkedBody = "data: 1\ndata: 23\n";

struct Cut {
  FramingState state;
  std::string body;
};

Cut feed_all(std::string_view bytes, size_t piece) {
  ResponseFraming framing;
  Cut cut{FramingState::head, {}};
  for (size_t at = 0; at < bytes.size(); at += piece) cut.state = framing.feed(bytes.substr(at, piece), cut.body);
  return cut;
}

TEST(ResponseFraming, AChunkedBodyIsTheSameHoweverItIsCut) {
  for (size_t piece = 1; piece <= kChunked.size(); ++piece) {
    const Cut cut = feed_all(kChunked, piece);
    EXPECT_EQ(cut.state, FramingState::whole) << piece;
    EXPECT_EQ(cut.body, kChunkedBody) << piece;
  }
}

TEST(ResponseFraming, APrefixOfAResponseIsNeverWhole) {
  for (size_t size = 0; size < kChunked.size(); ++size) {
    ResponseFraming framing;
    std::string body;
    framing.feed(kChunked.substr(0, size), body);
    EXPECT_NE(framing.on_close(), FramingState::whole) << size;
    EXPECT_NE(framing.state(), FramingState::broken) << size;
    EXPECT_TRUE(kChunkedBody.starts_with(body));
  }
}

TEST(ResponseFraming, ACountedBodyEndsAtItsLength) {
  ResponseFraming framing;
  std::string body;
  EXPECT_EQ(framing.feed("HTTP/1.1 503 Busy\r\ncontent-length:  5 \r\n\r\nhel", body), FramingState::body);
  EXPECT_EQ(framing.feed("lo and more", body), FramingState::whole);
  EXPECT_EQ(body, "hello");
  EXPECT_EQ(framing.status(), 503);
}

TEST(ResponseFraming, ABodyWithoutALengthEndsWithItsConnection) {
  ResponseFraming framing;
  std::string body;
  EXPECT_EQ(framing.feed("HTTP/1.0 200 OK\r\n\r\nhello", body), FramingState::body);
  EXPECT_EQ(framing.on_close(), FramingState::whole);
  EXPECT_EQ(body, "hello");
}

TEST(ResponseFraming, AnInterimResponseIsSkipped) {
  ResponseFraming framing;
  std::string body;
  framing.feed("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", body);
  EXPECT_EQ(framing.status(), 204);
  EXPECT_EQ(framing.state(), FramingState::whole);
}

TEST(ResponseFraming, WhatIsNotHttpIsBroken) {
  EXPECT_EQ(feed_all("SSH-2.0-OpenSSH_9.2\r\n\r\n", 5).state, FramingState::broken);
  EXPECT_EQ(feed_all("HTTP/1.1 OK\r\n\r\n", 100).state, FramingState::broken);
  EXPECT_EQ(feed_all("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnine\r\n", 3).state, FramingState::broken);
  EXPECT_EQ(feed_all("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n", 3).state,
            FramingState::broken);
  EXPECT_EQ(feed_all("HTTP/1.1 200 OK\r\n" + std::string(2 * limits::header_bytes_max, 'x'), 4096).state,
            FramingState::broken);
}

TEST(ResponseFraming, ABodyThatFitsItsReserveIsNeverMoved) {
  ResponseFraming framing;
  std::string body;
  body.reserve(4096);
  const char* place = body.data();
  framing.feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", body);
  for (int i = 0; i < 100; ++i) framing.feed("A\r\n0123456789\r\n", body);
  EXPECT_EQ(body.data(), place);
  EXPECT_EQ(body.size(), 1000u);
}

}  // namespace
}  // namespace sluice::bench
