#include "http/response_head.h"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

TEST(ResponseHead, SaysAllAClientNeedsToReadTheBody) {
  Head head;
  head.status = 404;
  head.content_type = "application/json";
  head.request_id = "r1";
  head.content_length = 12;
  head.now = 784111777;
  EXPECT_EQ(format(head, {{"Retry-After", "2"}}),
            "HTTP/1.1 404 Not Found\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Type: application/json\r\n"
            "Content-Length: 12\r\nX-Request-Id: r1\r\nRetry-After: 2\r\n\r\n");
}

TEST(ResponseHead, TellsHowTheConnectionGoesOn) {
  Head head;
  head.chunked = true;
  EXPECT_NE(format(head, {}).find("Transfer-Encoding: chunked\r\n"), std::string::npos);
  EXPECT_EQ(format(head, {}).find("Connection:"), std::string::npos);
  head.http_1_0 = true;
  EXPECT_NE(format(head, {}).find("Connection: keep-alive\r\n"), std::string::npos);
  head.keep_alive = false;
  EXPECT_NE(format(head, {}).find("Connection: close\r\n"), std::string::npos);
}

TEST(ResponseHead, NamesEachStatusThisProgramSends) {
  for (const int status : {200, 204, 400, 401, 404, 405, 408, 413, 417, 422, 429, 431, 500, 502, 503, 504, 505}) {
    EXPECT_NE(reason_of(status), "Unknown") << status;
  }
}

TEST(ResponseHead, AChunkHasItsLengthInHex) {
  std::string out;
  append_chunk(out, std::string(26, 'x'));
  EXPECT_EQ(out, "1a\r\n" + std::string(26, 'x') + "\r\n");
}

}  // namespace
}  // namespace sluice::http
