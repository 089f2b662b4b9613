#include "cli/sse.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace sluice::cli {
namespace {

using Events = std::vector<std::string>;

TEST(SseParser, GivesTheDataOfEachEvent) {
  SseParser parser;
  EXPECT_EQ(parser.feed("data: {\"a\":1}\n\ndata:[DONE]\n\n"), (Events{"{\"a\":1}", "[DONE]"}));
}

TEST(SseParser, DoesNotCareWhereTheBytesAreCut) {
  const std::string stream =
      ": hello\r\nid: 7\r\ndata: one\r\n\r\nevent: x\ndata: two\ndata: lines\n\ndata: \xC3\xA9\r\r";
  for (size_t cut = 0; cut <= stream.size(); ++cut) {
    SseParser parser;
    Events all = parser.feed(std::string_view(stream).substr(0, cut)).value();
    const Events rest = parser.feed(std::string_view(stream).substr(cut)).value();
    all.insert(all.end(), rest.begin(), rest.end());
    EXPECT_EQ(all, (Events{"one", "two\nlines", "\xC3\xA9"})) << "cut at byte " << cut;
  }
}

TEST(SseParser, KeepsAnEventUntilItsBlankLine) {
  SseParser parser;
  EXPECT_EQ(parser.feed("data: half"), Events{});
  EXPECT_EQ(parser.feed("\n"), Events{});
  EXPECT_EQ(parser.feed("\n"), Events{"half"});
}

TEST(SseParser, SkipsCommentsAndEventsWithoutData) {
  SseParser parser;
  EXPECT_EQ(parser.feed(": keep-alive\n\nevent: ping\n\nretry: 5\n\n"), Events{});
}

TEST(SseParser, RemovesOneSpaceOnly) {
  SseParser parser;
  EXPECT_EQ(parser.feed("data:  two spaces\n\ndata:none\n\n"), (Events{" two spaces", "none"}));
}

TEST(SseParser, RefusesAnEventWithoutEnd) {
  SseParser parser;
  const auto refused = parser.feed("data: " + std::string(limits::sse_event_bytes_max + 1, 'x'));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::too_large);
}

}  // namespace
}  // namespace sluice::cli
