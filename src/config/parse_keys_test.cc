// Keys of `sluice serve`, from flags and files together.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/limits.h"
#include "config/parse.h"
#include "config/test_folder.h"

namespace sluice::config {
namespace {

std::string table_of(const std::string& name, const std::string& text) {
  std::string hex;
  for (const uint8_t byte : sha256(text).bytes) hex += fmt::format("{:02x}", byte);
  return fmt::format("[[key]]\nname = \"{}\"\nsha256 = \"{}\"\n", name, hex);
}

class ParseKeys : public testing::Test {
 protected:
  Parsed<ServeOptions> parse(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), model_);
    return parse_serve(std::move(arguments), folder_.path());
  }
  std::string refusal(std::vector<std::string> arguments) {
    const auto parsed = parse(std::move(arguments));
    return parsed ? "taken" : parsed.error().text;
  }
  TestFolder folder_;
  std::string model_ = folder_.write("tiny.gguf", "GGUF");
};

TEST_F(ParseKeys, ComeFromFlagsAndBothFiles) {
  const std::string list = folder_.write("list", "# team\n\n  second \r\nthird\n");
  const std::string table = folder_.write("table", table_of("team-a", "fourth"));
  const auto o = parse({"--api-key", "first", "--api-key-file", list, "--api-keys", table, "--host", "0.0.0.0"});
  ASSERT_TRUE(o) << o.error().text;
  ASSERT_EQ(o->api_keys.size(), 4u);
  const char* names[] = {"key1", "key2", "key3", "team-a"};
  const char* texts[] = {"first", "second", "third", "fourth"};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(o->api_keys[i].name, names[i]);
    EXPECT_EQ(o->api_keys[i].hash.bytes, sha256(texts[i]).bytes);
  }
}

TEST_F(ParseKeys, ATableThatIsWrongIsNamedWithItsLine) {
  const std::string table = folder_.write("table", table_of("a", "x") + "clas = 1\n");
  const std::string wrong = refusal({"--api-keys", table});
  EXPECT_TRUE(wrong.starts_with("sluice serve: --api-keys: '" + table + "' line 4: 'clas' is not possible")) << wrong;
  EXPECT_EQ(refusal({"--api-keys", "/no/keys"}),
            "sluice serve: --api-keys: '/no/keys' cannot be read (No such file or directory)");
  EXPECT_EQ(refusal({"--api-keys", "/"}), "sluice serve: --api-keys: '/' cannot be read (Is a directory)");
}

TEST_F(ParseKeys, ATableThatIsTooLongIsNotRead) {
  const std::string table = folder_.write("table", std::string(limits::key_file_bytes_max + 1, '#'));
  EXPECT_TRUE(refusal({"--api-keys", table}).ends_with("is too long; 1048576 bytes are possible"));
}

TEST_F(ParseKeys, TwoThatAreTheSameOrHaveOneNameAreRefused) {
  const std::string same = folder_.write("same", table_of("team", "first"));
  EXPECT_EQ(refusal({"--api-key", "first", "--api-keys", same}),
            "sluice serve: --api-keys: key1 and team are the same key");
  const std::string name = folder_.write("name", table_of("key1", "other"));
  EXPECT_EQ(refusal({"--api-key", "first", "--api-keys", name}),
            "sluice serve: --api-keys: two keys have the name key1");
}

}  // namespace
}  // namespace sluice::config
