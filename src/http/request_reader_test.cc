#include "http/request_reader.h"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

using Progress = RequestReader::Progress;

// Feeds `bytes` in pieces, keeping what is not consumed, as a connection does.
Progress feed_in_pieces(RequestReader& reader, std::string_view bytes, size_t piece, std::string& rest) {
  Progress progress = Progress::more;
  for (size_t at = 0; at < bytes.size() && progress == Progress::more; at += piece) {
    rest += bytes.substr(at, piece);
    const auto fed = reader.feed(rest);
    rest.erase(0, fed.consumed);
    progress = fed.progress;
  }
  return progress;
}

Progress feed_all(RequestReader& reader, std::string_view bytes) {
  std::string rest;
  return feed_in_pieces(reader, bytes, bytes.size(), rest);
}

int status_of(std::string_view bytes, RequestReader::Bounds bounds = {}) {
  RequestReader reader(bounds);
  return feed_all(reader, bytes) == Progress::broken ? reader.refusal().status : 0;
}

constexpr std::string_view kPost =
    "POST /v1/completions?x=%20y HTTP/1.1\r\nHost: h\r\nX-One: 1\r\nContent-Length: 5\r\n\r\nhello";
constexpr std::string_view kChunked =
    "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;ext=1\r\nlo\r\n0\r\nT: 1\r\n\r\n";

TEST(RequestReader, ReadsTheSameRequestHoweverItIsCut) {
  for (const auto bytes : {kPost, kChunked}) {
    for (size_t piece = 1; piece <= bytes.size(); ++piece) {
      RequestReader reader({});
      std::string rest;
      ASSERT_EQ(feed_in_pieces(reader, bytes, piece, rest), Progress::whole) << piece;
      EXPECT_EQ(rest, "");
      const Request request = reader.take();
      EXPECT_EQ(request.method, Method::post);
      EXPECT_EQ(request.body, "hello");
    }
  }
}

TEST(RequestReader, GivesPathQueryAndHeaders) {
  RequestReader reader({});
  ASSERT_EQ(feed_all(reader, kPost), Progress::whole);
  EXPECT_TRUE(reader.keep_alive());
  const Request request = reader.take();
  EXPECT_EQ(request.path, "/v1/completions");
  EXPECT_EQ(request.query, "x=%20y");
  EXPECT_EQ(request.header("x-one"), "1");
  EXPECT_EQ(request.header("X-ONE"), "1");
  EXPECT_FALSE(request.header("x-two"));
}

TEST(RequestReader, LeavesTheBytesOfTheNextRequest) {
  RequestReader reader({});
  const std::string both = std::string(kPost) + "GET / HTTP/1.1\r\n";
  const auto fed = reader.feed(both);
  EXPECT_EQ(fed.progress, Progress::whole);
  EXPECT_EQ(fed.consumed, kPost.size());
}

TEST(RequestReader, KnowsEachMethod) {
  const std::pair<std::string, Method> methods[] = {
      {"GET", Method::get},     {"HEAD", Method::head},  {"OPTIONS", Method::options}, {"PUT", Method::put},
      {"PATCH", Method::patch}, {"DELETE", Method::del}, {"BREW", Method::other}};
  for (const auto& [name, method] : methods) {
    RequestReader reader({});
    ASSERT_EQ(feed_all(reader, name + " / HTTP/1.1\r\n\r\n"), Progress::whole) << name;
    EXPECT_EQ(reader.take().method, method) << name;
  }
}

TEST(RequestReader, RefusesWhatIsNotARequest) {
  EXPECT_EQ(status_of("GARBAGE\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nno colon\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"), 400);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), 400);
  EXPECT_EQ(status_of("GET nowhere HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET /%zz HTTP/1.1\r\n\r\n"), 400);
}

TEST(RequestReader, RefusesOtherVersionsAndExpectations) {
  EXPECT_EQ(status_of("GET / HTTP/3.1\r\n\r\n"), 505);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nContent-Length: 1\r\nExpect: tea\r\n\r\n"), 417);
}

TEST(RequestReader, RefusesAHeaderOverItsLimitBeforeItsEnd) {
  RequestReader::Bounds bounds;
  bounds.header_bytes_max = 256;
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nX: " + std::string(300, 'x'), bounds), 431);
  EXPECT_EQ(status_of("GET /" + std::string(300, 'x') + " HTTP/1.1\r\n\r\n", bounds), 431);
}

TEST(RequestReader, RefusesManyShortHeaderLinesHoweverTheyAreCut) {
  RequestReader::Bounds bounds;
  bounds.header_bytes_max = 256;
  std::string head = "GET / HTTP/1.1\r\n";
  while (head.size() <= bounds.header_bytes_max) head += "X-Line: 1\r\n";
  for (const size_t piece : {1u, 7u, 30u, 200u, 10'000u}) {
    RequestReader reader(bounds);
    std::string rest;
    ASSERT_EQ(feed_in_pieces(reader, head + "\r\n", piece, rest), Progress::broken) << piece;
    EXPECT_EQ(reader.refusal().status, 431);
  }
}

TEST(RequestReader, RefusesABodyOverItsLimitBeforeReadingIt) {
  RequestReader::Bounds bounds;
  bounds.body_bytes_max = 4;
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n", bounds), 413);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", bounds), 413);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n", bounds), 413);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nfour", bounds), 0);
}

TEST(RequestReader, SeesThatTheClientWaitsForContinue) {
  RequestReader reader({});
  const auto head = "POST / HTTP/1.1\r\nContent-Length: 1\r\nExpect: 100-Continue\r\n\r\n";
  EXPECT_EQ(feed_all(reader, head), Progress::more);
  EXPECT_TRUE(reader.head_read());
  EXPECT_TRUE(reader.expects_continue());
}

TEST(RequestReader, KeepsAliveAsTheClientsVersionHasIt) {
  const auto alive = [](std::string_view bytes) {
    RequestReader reader({});
    EXPECT_EQ(feed_all(reader, bytes), Progress::whole);
    return reader.keep_alive();
  };
  EXPECT_TRUE(alive("GET / HTTP/1.1\r\n\r\n"));
  EXPECT_FALSE(alive("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"));
  EXPECT_FALSE(alive("GET / HTTP/1.0\r\n\r\n"));
  EXPECT_TRUE(alive("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
}

}  // namespace
}  // namespace sluice::http
