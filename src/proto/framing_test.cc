#include "proto/framing.h"

#include <gtest/gtest.h>

#include <random>

#include "base/limits.h"
#include "proto/sluice.pb.h"

namespace sluice::proto {
namespace {

std::string header_of(uint32_t length) {
  std::string header;
  for (int i = 0; i < 4; ++i) header += static_cast<char>(length >> (8 * i));
  return header;
}

std::string frame_of(std::string_view body) {
  return header_of(static_cast<uint32_t>(body.size())) + std::string(body);
}

// Every whole frame that is there; a protocol error ends the list.
std::vector<std::string> take_all(FrameReader& reader) {
  std::vector<std::string> bodies;
  for (;;) {
    const Result<FrameReader::Next> next = reader.next();
    if (!next || !next->has) return bodies;
    bodies.emplace_back(next->body);
  }
}

TEST(Framing, AMessageComesBackAsItWasSent) {
  ToWorker sent;
  sent.mutable_ping()->set_number(42);
  std::string wire;
  ASSERT_TRUE(append_frame(sent, wire));
  FrameReader reader;
  reader.feed(wire);
  const auto next = reader.next();
  ASSERT_TRUE(next && next->has);
  ToWorker received;
  ASSERT_TRUE(received.ParseFromArray(next->body.data(), static_cast<int>(next->body.size())));
  EXPECT_EQ(received.ping().number(), 42u);
  EXPECT_EQ(reader.buffered_bytes(), 0u);
}

TEST(Framing, LengthIsLittleEndianAndCountsTheBodyAlone) {
  Text text;
  text.set_text(std::string(300, 'x'));
  std::string wire = "before";
  ASSERT_TRUE(append_frame(text, wire));
  EXPECT_EQ(wire.substr(0, 6), "before");
  EXPECT_EQ(wire.substr(6, 4), header_of(static_cast<uint32_t>(wire.size() - 10)));
}

TEST(Framing, AFrameFedByteByByteIsWholeOnlyAtItsLastByte) {
  const std::string wire = frame_of("hello");
  FrameReader reader;
  for (size_t i = 0; i < wire.size(); ++i) {
    const auto before = reader.next();
    ASSERT_TRUE(before) << before.error().message;
    EXPECT_FALSE(before->has) << "after " << i << " bytes";
    reader.feed(wire.substr(i, 1));
  }
  EXPECT_EQ(take_all(reader), std::vector<std::string>{"hello"});
}

TEST(Framing, AFrameWithoutBodyIsAFrame) {
  FrameReader reader;
  reader.feed(frame_of("") + frame_of("a") + frame_of(""));
  EXPECT_EQ(take_all(reader), (std::vector<std::string>{"", "a", ""}));
}

TEST(Framing, AnEmptyStreamHasNoFrame) {
  FrameReader reader;
  reader.feed("");
  const auto next = reader.next();
  ASSERT_TRUE(next);
  EXPECT_FALSE(next->has);
}

TEST(Framing, ALengthOverTheLimitIsRefusedBeforeItsBodyComesAndForEver) {
  for (const uint32_t length : {limits::frame_bytes_max + 1, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
    FrameReader reader;
    reader.feed(header_of(length));
    for (int i = 0; i < 2; ++i) {
      const auto next = reader.next();
      ASSERT_FALSE(next);
      EXPECT_EQ(next.error().code, ErrorCode::protocol);
      reader.feed(frame_of("whole"));
    }
  }
}

TEST(Framing, ALengthAtTheLimitIsAwaited) {
  FrameReader reader;
  reader.feed(header_of(limits::frame_bytes_max));
  const auto next = reader.next();
  ASSERT_TRUE(next);
  EXPECT_FALSE(next->has);
}

TEST(Framing, FramesBeforeGarbageAreStillGiven) {
  FrameReader reader;
  reader.feed(frame_of("one") + frame_of("two") + "HTTP/1.1 400 Bad Request\r\n");
  EXPECT_EQ(take_all(reader), (std::vector<std::string>{"one", "two"}));
  EXPECT_FALSE(reader.next());
}

TEST(Framing, GarbageEndsInAnErrorOrIsBoundedByTheLimit) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    FrameReader reader;
    std::string garbage(random() % 64, '\0');
    for (char& byte : garbage) byte = static_cast<char>(random());
    reader.feed(garbage);
    size_t given = 0;
    for (const std::string& body : take_all(reader)) given += body.size() + kFrameHeaderBytes;
    EXPECT_EQ(given + reader.buffered_bytes(), garbage.size());
  }
}

TEST(Framing, RandomCutsGiveTheSameFrames) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> sent;
    std::string wire;
    for (size_t n = random() % 40; n > 0; --n) {
      sent.emplace_back(random() % 200, static_cast<char>(random()));
      wire += frame_of(sent.back());
    }
    FrameReader reader;
    std::vector<std::string> received;
    for (std::string_view rest = wire; !rest.empty();) {
      const size_t cut = std::min<size_t>(rest.size(), 1 + random() % 300);
      reader.feed(rest.substr(0, cut));
      rest.remove_prefix(cut);
      // Sometimes nothing is taken, so that whole frames pile up behind half ones.
      if (random() % 3 == 0) continue;
      for (std::string& body : take_all(reader)) received.push_back(std::move(body));
    }
    for (std::string& body : take_all(reader)) received.push_back(std::move(body));
    EXPECT_EQ(received, sent);
  }
}

// Would not end within the test's time limit if every frame moved the ones behind it.
TEST(Framing, AMillionFramesInOneFeedAreTakenInLinearTime) {
  std::string wire;
  for (int i = 0; i < 1'000'000; ++i) wire += frame_of("tiny frame");
  FrameReader reader;
  reader.feed(wire);
  size_t frames = 0;
  while (reader.next()->has) ++frames;
  EXPECT_EQ(frames, 1'000'000u);
  EXPECT_EQ(reader.buffered_bytes(), 0u);
}

TEST(Framing, AnOversizedMessageIsRefusedAndLeavesTheOutputAlone) {
  Text text;
  text.set_text(std::string(limits::frame_bytes_max, 'x'));
  std::string wire = "before";
  const auto appended = append_frame(text, wire);
  ASSERT_FALSE(appended);
  EXPECT_EQ(appended.error().code, ErrorCode::too_large);
  EXPECT_EQ(wire, "before");
}

TEST(Framing, TheLargestFrameTravelsInSmallReads) {
  Text text;
  text.set_text(std::string(limits::frame_bytes_max - 5, 'x'));  // 5: tag and length of the field
  std::string wire;
  ASSERT_TRUE(append_frame(text, wire));
  ASSERT_EQ(wire.size(), kFrameHeaderBytes + limits::frame_bytes_max);
  FrameReader reader;
  for (size_t at = 0; at < wire.size(); at += 65536) {
    ASSERT_FALSE(reader.next()->has);
    reader.feed(std::string_view(wire).substr(at, 65536));
  }
  const auto next = reader.next();
  ASSERT_TRUE(next && next->has);
  EXPECT_EQ(next->body, std::string_view(wire).substr(kFrameHeaderBytes));
}

}  // namespace
}  // namespace sluice::proto
