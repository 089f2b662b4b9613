#include "config/key_table.h"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

const std::string kHash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";  // of "abc"
const std::string kKey = "[[key]]\nname = \"team-a\"\nsha256 = \"" + kHash + "\"\n";

TEST(KeyTable, EveryFieldIsTaken) {
  const auto keys = parse_key_table(kKey + "class = \"agent\"\nmax_class = \"completion\"\nrequests_per_minute = 60\n" +
                                    "tokens_per_minute = 100000\nconcurrency = 8\n");
  ASSERT_TRUE(keys) << keys.error().message;
  const ApiKey& key = keys->at(0);
  EXPECT_EQ(key.name, "team-a");
  EXPECT_EQ(key.hash.bytes, sha256("abc").bytes);
  EXPECT_EQ(key.cls, Class::agent);
  EXPECT_EQ(key.max_class, Class::completion);
  EXPECT_EQ(key.requests_per_minute, 60u);
  EXPECT_EQ(key.tokens_per_minute, 100000u);
  EXPECT_EQ(key.concurrency, 8u);
}

TEST(KeyTable, ANameAndAHashAreEnough) {
  const auto keys = parse_key_table(kKey);
  ASSERT_TRUE(keys) << keys.error().message;
  const ApiKey& key = keys->at(0);
  EXPECT_FALSE(key.cls || key.requests_per_minute || key.tokens_per_minute || key.concurrency);
  EXPECT_EQ(key.max_class, Class::interactive);
}

TEST(KeyTable, WhatIsWrongIsSaidWithItsLine) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "it holds no key; each begins with [[key]]"},
      {"[key]\nname = \"a\"\n", "line 1: a key begins with [[key]]"},
      {"key = []\n", "line 1: a key begins with [[key]]"},
      {"[[keys]]\n", "line 1: 'keys' is not possible; [[key]] is"},
      {kKey + "request_per_minute = 5\n", "line 4: 'request_per_minute' is not possible; one of "},
      {kKey + "requests_per_minute = 0\n", "line 4: requests_per_minute must be a number from 1 to 1048576"},
      {kKey + "concurrency = \"8\"\n", "line 4: concurrency must be a number from 1 to 1024"},
      {kKey + "concurrency = 8.5\n", "line 4: concurrency must be a number from 1 to 1024"},
      {kKey + "class = \"fast\"\n", "line 4: class: 'fast' is not possible; one of interactive, "},
      {kKey + "class = 1\n", "line 4: class must be a text"},
      {kKey + "class = \"agent\"\nmax_class = \"background\"\n",
       "line 4: class agent is better than max_class background"},
      {kKey + "\n" + kKey, "line 5: a second key has the name team-a"},
      {"[[key]]\nsha256 = \"" + kHash + "\"\n", "line 1: a key needs a name"},
      {"[[key]]\nname = \"a b\"\nsha256 = \"" + kHash + "\"\n", "line 2: a key needs a name"},
      {"[[key]]\nname = \"a\"\n", "line 1: a key needs its sha256"},
      {"[[key]]\nname = \"a\"\nsha256 = \"abc\"\n", "line 3: a key needs its sha256"},
      {"[[key]]\nname = a\n", "line 2: "},
  };
  for (const auto& [text, message] : cases) {
    const auto keys = parse_key_table(text);
    ASSERT_FALSE(keys) << text;
    EXPECT_TRUE(keys.error().message.starts_with(message)) << keys.error().message << "\n" << message;
  }
}

}  // namespace
}  // namespace sluice::config
