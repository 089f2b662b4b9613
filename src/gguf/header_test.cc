#include "gguf/header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/limits.h"
#include "gguf/model_facts.h"
#include "gguf/test_file.h"

namespace sluice::gguf {
namespace {

using testing::HasSubstr;

Result<Header> parse(const std::string& bytes) {
  std::istringstream in(bytes);
  return Header::parse(in, bytes.size());
}

std::string message_of(const std::string& bytes) {
  const auto header = parse(bytes);
  return header ? "no error" : header.error().message;
}

std::string with_tensors() { return small_model().tensor("a", 0).tensor("b", 128).bytes(3, 256); }

TEST(GgufHeader, ReadsEveryKindOfValue) {
  TestFile file;
  file.number("u", TestFile::kU64, uint64_t{1} << 40)
      .number("i", TestFile::kI32, int32_t{-7})
      .number("b", TestFile::kBool, uint8_t{1})
      .number("f", TestFile::kF32, 0.5f)
      .text("s", "text")
      .array<int32_t>("a", TestFile::kI32, {1, 0, 3});
  const auto header = parse(file.bytes());
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_EQ(header->unsigned_of("u"), uint64_t{1} << 40);
  EXPECT_EQ(std::get<int64_t>(*header->find("i")), -7);
  EXPECT_TRUE(std::get<bool>(*header->find("b")));
  EXPECT_EQ(std::get<double>(*header->find("f")), 0.5);
  EXPECT_EQ(header->text_of("s"), "text");
  EXPECT_EQ(header->array_items("a"), 3u);
  EXPECT_EQ(header->per_layer("a", 2), (std::vector<uint64_t>{1, 0}));
  EXPECT_EQ(header->per_layer("u", 2), (std::vector<uint64_t>(2, uint64_t{1} << 40)));
}

TEST(GgufHeader, AKeyOfAnotherKindIsAbsent) {
  TestFile file;
  file.number("i", TestFile::kI32, int32_t{-7}).text("s", "text").array<int32_t>("a", TestFile::kI32, {1, -1});
  const auto header = parse(file.bytes());
  ASSERT_TRUE(header);
  EXPECT_EQ(header->unsigned_of("i"), std::nullopt);
  EXPECT_EQ(header->unsigned_of("s"), std::nullopt);
  EXPECT_EQ(header->text_of("i"), std::nullopt);
  EXPECT_EQ(header->per_layer("a", 2), std::nullopt) << "negative";
  EXPECT_EQ(header->per_layer("a", 3), std::nullopt) << "too few";
  EXPECT_EQ(header->find("nothing"), nullptr);
}

TEST(GgufHeader, LongArraysKeepTheirLengthOnly) {
  TestFile file;
  file.array<uint32_t>("long", TestFile::kU32, std::vector<uint32_t>(limits::gguf_kept_items_max + 1, 7))
      .text("s", "x");
  const auto header = parse(file.bytes());
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_EQ(header->array_items("long"), limits::gguf_kept_items_max + 1);
  EXPECT_TRUE(std::get<Array>(*header->find("long")).numbers.empty());
  EXPECT_EQ(header->text_of("s"), "x");
}

TEST(GgufHeader, SaysWhatAFileIsInstead) {
  EXPECT_THAT(message_of("# A readme"), HasSubstr("not a GGUF file: it starts with \"# A \""));
  EXPECT_THAT(message_of("\x7f"
                         "ELF\x02"),
              HasSubstr("it starts with the bytes 7f 45 4c 46"));
  EXPECT_THAT(message_of(""), HasSubstr("it is empty"));
  EXPECT_THAT(message_of(small_model().bytes(1)), HasSubstr("GGUF version 1"));
  EXPECT_THAT(message_of(small_model().bytes(0x03000000)), HasSubstr("big-endian"));
}

TEST(GgufHeader, ACutHeaderIsAlwaysAnError) {
  const auto whole = small_model().tensor("a", 0).bytes();
  const auto data = with_tensors();
  ASSERT_TRUE(parse(data));
  for (size_t cut = 0; cut < whole.size(); ++cut) EXPECT_FALSE(parse(whole.substr(0, cut))) << "cut at byte " << cut;
}

TEST(GgufHeader, AFileCutBeforeItsLastTensorIsTruncated) {
  const auto whole = with_tensors();
  EXPECT_THAT(message_of(whole.substr(0, whole.size() - 200)), HasSubstr("truncated"));
}

TEST(GgufHeader, NoFlippedBitBreaksTheReader) {
  const auto whole = with_tensors();
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    auto broken = whole;
    broken[bit / 8] = static_cast<char>(broken[bit / 8] ^ (1 << (bit % 8)));
    const auto header = parse(broken);
    if (header) {
      (void)facts_of(*header, "x.gguf");
    } else {
      EXPECT_FALSE(header.error().message.empty()) << "bit " << bit;
    }
  }
}

TEST(GgufHeader, HugeCountsAllocateNothing) {
  std::string bytes = small_model().bytes();
  bytes.replace(16, 8, std::string("\xff\xff\xff\xff\xff\xff\xff\x7f", 8));
  EXPECT_THAT(message_of(bytes), HasSubstr("keys"));
  TestFile text;
  std::string long_text = text.text("s", "x").bytes();
  long_text.replace(long_text.size() - 9, 8, std::string("\xff\xff\xff\xff\xff\xff\xff\xff", 8));
  EXPECT_THAT(message_of(long_text), HasSubstr("a string of 18446744073709551615 bytes"));
}

TEST(GgufHeader, NamesAMissingFileAndADirectory) {
  const auto missing = Header::read("/nonexistent/model.gguf");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_THAT(missing.error().message, HasSubstr("/nonexistent/model.gguf"));
  const auto directory = Header::read("/tmp");
  ASSERT_FALSE(directory);
  EXPECT_THAT(directory.error().message, HasSubstr("not a file"));
}

TEST(GgufHeader, ReadsAFileFromDisk) {
  const auto path = std::filesystem::path(testing::TempDir()) / "header_test.gguf";
  std::ofstream(path, std::ios::binary) << with_tensors();
  const auto header = Header::read(path);
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_EQ(header->file_bytes(), with_tensors().size());
  EXPECT_EQ(header->tensors(), 2u);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace sluice::gguf
