#include <fmt/format.h>
#include <gmock/gmock.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/limits.h"
#include "bench/result/full_run.h"
#include "bench/result/json.h"

namespace sluice::bench {
namespace {

namespace json = boost::json;
using result::full_run;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string message_of(std::string_view bytes) {
  const auto read = from_json(bytes);
  return read ? "it was read" : read.error().message;
}

// Calls `with` for every value below `value`, with its place.
void for_each_value(json::value& value, const std::string& place, const auto& with) {
  if (!place.empty()) with(value, place);
  if (auto* object = value.if_object()) {
    for (auto& [name, entry] : *object) {
      const std::string key(name.data(), name.size());
      for_each_value(entry, place.empty() ? key : place + "." + key, with);
    }
  } else if (auto* array = value.if_array()) {
    for (size_t i = 0; i < array->size(); ++i) for_each_value((*array)[i], fmt::format("{}[{}]", place, i), with);
  }
}

TEST(ResultJson, AValueOfTheWrongTypeIsAnErrorThatNamesItsPlace) {
  json::value run = json::parse(to_json(full_run()));
  size_t tried = 0;
  for_each_value(run, "", [&](json::value& value, const std::string& place) {
    if (place == "format") return;
    for (const json::value& wrong : {json::value(true), json::value(nullptr)}) {
      const json::value kept = std::exchange(value, wrong);
      EXPECT_THAT(message_of(json::serialize(run)), StartsWith(place + " must be ")) << place;
      value = kept;
    }
    ++tried;
  });
  EXPECT_GT(tried, 140u);  // every field of the page, and the items of its arrays
}

TEST(ResultJson, EveryPrefixOfAFileIsRefused) {
  const std::string bytes = to_json(full_run());
  for (size_t cut = 0; cut + 1 < bytes.size(); ++cut) {
    const auto read = from_json(std::string_view(bytes).substr(0, cut));
    ASSERT_FALSE(read) << cut;
    EXPECT_EQ(read.error().code, ErrorCode::invalid);
  }
}

TEST(ResultJson, AChangedByteIsReadOrRefused) {
  const std::string bytes = to_json(full_run());
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] ^= 0x10;
    const auto read = from_json(changed);
    EXPECT_TRUE(read || read.error().code == ErrorCode::invalid) << i;
  }
}

TEST(ResultJson, AnotherVersionIsRefused) {
  EXPECT_EQ(message_of(R"({"format":"sluice-bench","version":2,"rows":7})"),
            "this result is of version 2; this build reads version 1");
  EXPECT_THAT(message_of(R"({"format":"sluice-bench"})"), HasSubstr("version 0"));
}

TEST(ResultJson, WhatIsNoResultIsRefused) {
  EXPECT_THAT(message_of(R"({"version":1})"), HasSubstr("no result of `sluice bench`"));
  EXPECT_THAT(message_of(R"({"format":"other","version":1})"), HasSubstr("no result of `sluice bench`"));
  EXPECT_THAT(message_of("[]"), HasSubstr("must be a JSON object"));
  EXPECT_THAT(message_of("rate,tokens"), HasSubstr("no JSON"));
  EXPECT_THAT(message_of(to_json(full_run()) + "x"), HasSubstr("more after its JSON"));
  EXPECT_THAT(message_of(std::string(1000, '[')), HasSubstr("no JSON"));
}

TEST(ResultJson, ValuesOutOfRangeAreRefused) {
  const auto with = [](std::string_view field) {
    return message_of(fmt::format(R"({{"format":"sluice-bench","version":1,{}}})", field));
  };
  EXPECT_THAT(with(R"("settings":{"lanes":-1})"), StartsWith("settings.lanes must be an integer of 0 to 4294967295"));
  EXPECT_THAT(with(R"("settings":{"lanes":4294967296})"), StartsWith("settings.lanes must be"));
  EXPECT_THAT(with(R"("settings":{"lanes":1.5})"), StartsWith("settings.lanes must be"));
  EXPECT_THAT(with(R"("created":18446744073709551615)"), StartsWith("created must be"));
  EXPECT_THAT(with(R"("rows":[{"state":"asleep"}])"),
              StartsWith("rows[0].state must be one of \"served\", \"did not start\", \"died\""));
  EXPECT_THAT(with(R"("cells":[{"samples":[{"memory":[[1]]}]}])"),
              StartsWith("cells[0].samples[0].memory[0] must be an array [ms, bytes]"));
  EXPECT_THAT(with(R"("machine":{"read_bytes_per_s":1e999})"), ::testing::Not("it was read"));
  EXPECT_THAT(with(R"("rows":[{}],"cells":[{"samples":[{"requests":[{"text_hash":"xyz"}]}]}])"),
              StartsWith("cells[0].samples[0].requests[0].text_hash must be"));
}

TEST(ResultJson, ARowThatIsNotThereIsRefused) {
  RunResult run = full_run();
  run.cells[0].samples[0].row = 2;
  EXPECT_EQ(message_of(to_json(run)), "cells[0].samples have row 2, which is not there");
  run = full_run();
  run.cells[0].summaries[0].row = 2;
  EXPECT_EQ(message_of(to_json(run)), "cells[0].summaries have row 2, which is not there");
  run = full_run();
  run.agreement[0].other = 2;
  EXPECT_EQ(message_of(to_json(run)), "agreement is of a row which is not there");
}

TEST(ResultJson, FieldsOfUnknownNameAreSkipped) {
  const auto read = from_json(R"({"format":"sluice-bench","version":1,"note":{"by":"hand"},"build":"b"})");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->build, "b");
}

TEST(ResultJson, AFileOverTheLimitIsRefusedUnread) {
  const std::string_view bytes("{}",
                               limits::bench_result_bytes_max + 1);  // its end is no memory: reading it would crash
  EXPECT_EQ(from_json(bytes).error().code, ErrorCode::too_large);
}

}  // namespace
}  // namespace sluice::bench
