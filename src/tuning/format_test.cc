#include "tuning/format.h"

#include <gtest/gtest.h>

#include "base/fnv.h"
#include "base/limits.h"
#include "tuning/test_values.h"

namespace sluice::tuning {
namespace {

// A body of the tests' own under a right first line.
std::string with_head(const std::string& kind, const std::string& body, int version = kFormatVersion) {
  return kind + " " + std::to_string(version) + " " + hex16(fnv1a(body)) + "\n" + body;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(TuningFormat, WhatIsWrittenIsRead) {
  const auto read = read_stored(write(sample_stored()));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, sample_stored());
}

TEST(TuningFormat, PinsAreReadAsWritten) {
  for (const Pin& pin : {Pin{}, Pin{true, {}}, Pin{{}, 3}, Pin{false, 1}}) {
    const auto read = read_pin(write(pin));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, pin);
  }
}

TEST(TuningFormat, EveryCutIsNoticed) {
  const std::string whole = write(sample_stored());
  for (size_t cut = 0; cut < whole.size(); ++cut) EXPECT_FALSE(read_stored(whole.substr(0, cut))) << cut;
  const std::string pin = write(Pin{true, 2});
  for (size_t cut = 0; cut < pin.size(); ++cut) EXPECT_FALSE(read_pin(pin.substr(0, cut))) << cut;
}

TEST(TuningFormat, EveryFlippedBitIsNoticed) {
  const std::string whole = write(sample_stored());
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(read_stored(flipped)) << bit;
  }
}

TEST(TuningFormat, AnotherVersionIsSaidToBeOne) {
  const auto read = read_stored(with_head("sluice-tuning", "{}", kFormatVersion + 1));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "its version is not 1");
}

TEST(TuningFormat, APinIsNoTuning) { EXPECT_FALSE(read_stored(write(Pin{true, 2}))); }

TEST(TuningFormat, ValuesOutOfRangeAreNamed) {
  const std::string whole = write(sample_stored());
  const std::string body = whole.substr(whole.find('\n') + 1);
  const auto error_with = [&body](const std::string& what, const std::string& by) {
    const auto read = read_stored(with_head("sluice-tuning", replaced(body, what, by)));
    return read ? std::string("it was read") : read.error().message;
  };
  EXPECT_EQ(error_with("\"threads\":2", "\"threads\":0"), "its threads is missing or impossible");
  EXPECT_EQ(error_with("\"threads\":2", "\"threads\":1e9"), "its threads is missing or impossible");
  EXPECT_EQ(error_with("\"lanes\":8", "\"lanes\":0"), "its lanes is missing or impossible");
  EXPECT_EQ(error_with("\"made\":1796040000", "\"made\":\"now\""), "its made is missing or impossible");
  EXPECT_EQ(error_with("\"candidates\":[", "\"candidates\":[7,"), "its candidates is missing or impossible");
  EXPECT_EQ(error_with("\"key\":{", "\"key\":[],\"other\":{"), "its key is missing or impossible");
  EXPECT_EQ(error_with("{\"key\"", "[{\"key\""), "it is not JSON");
}

TEST(TuningFormat, ALongFileIsNotRead) {
  EXPECT_FALSE(read_stored(with_head("sluice-tuning", std::string(limits::tuning_file_bytes_max, ' '))));
}

}  // namespace
}  // namespace sluice::tuning
