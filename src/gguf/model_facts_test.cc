#include "gguf/model_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "gguf/test_file.h"

namespace sluice::gguf {
namespace {

using testing::HasSubstr;

Result<ModelFacts> facts(const TestFile& file) {
  const auto bytes = file.bytes();
  std::istringstream in(bytes);
  const auto header = Header::parse(in, bytes.size());
  if (!header) return std::unexpected(header.error());
  return facts_of(*header, "/models/stem-of-file.gguf");
}

TestFile start(std::string_view architecture) {
  TestFile file;
  const std::string prefix = std::string(architecture) + ".";
  file.text("general.architecture", architecture)
      .number(prefix + "context_length", TestFile::kU32, uint32_t{512})
      .number(prefix + "block_count", TestFile::kU32, uint32_t{4})
      .number(prefix + "embedding_length", TestFile::kU32, uint32_t{64})
      .texts("tokenizer.ggml.tokens", {"a", "b"});
  return file;
}

TEST(ModelFacts, AreReadFromAnOrdinaryHeader) {
  const auto read = facts(small_model());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->architecture, "llama");
  EXPECT_EQ(read->name, "tiny");
  EXPECT_EQ(read->trained_window, 2048u);
  EXPECT_EQ(read->layers, 3u);
  EXPECT_EQ(read->vocabulary, 3u);
  EXPECT_TRUE(read->has_chat_template);
  EXPECT_EQ(read->kv_k_elements, 3u * 2 * 16) << "layers x KV heads x embedding / heads";
  EXPECT_EQ(read->kv_v_elements, 3u * 2 * 16);
}

TEST(ModelFacts, NameIsTheFilesStemWhereTheHeaderHasNone) {
  const auto read = facts(start("llama").number("llama.attention.head_count", TestFile::kU32, uint32_t{4}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->name, "stem-of-file");
  EXPECT_FALSE(read->has_chat_template);
  EXPECT_EQ(read->kv_k_elements, 4u * 64) << "every head keeps KV where head_count_kv is absent";
}

TEST(ModelFacts, KeyAndValueLengthsComeBeforeTheDefault) {
  const auto read = facts(start("deepseek2")
                              .number("deepseek2.attention.head_count", TestFile::kU32, uint32_t{8})
                              .number("deepseek2.attention.head_count_kv", TestFile::kU32, uint32_t{1})
                              .number("deepseek2.attention.key_length", TestFile::kU32, uint32_t{576})
                              .number("deepseek2.attention.value_length", TestFile::kU32, uint32_t{512}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kv_k_elements, 4u * 576);
  EXPECT_EQ(read->kv_v_elements, 4u * 512);
}

TEST(ModelFacts, RecurrentLayersKeepNoKv) {
  const auto lfm2 = facts(start("lfm2")
                              .number("lfm2.attention.head_count", TestFile::kU32, uint32_t{4})
                              .array<int32_t>("lfm2.attention.head_count_kv", TestFile::kI32, {0, 2, 0, 2}));
  ASSERT_TRUE(lfm2);
  EXPECT_EQ(lfm2->kv_k_elements, 2u * 2 * 16);
  const auto qwen = facts(start("qwen35")
                              .number("qwen35.attention.head_count", TestFile::kU32, uint32_t{4})
                              .number("qwen35.full_attention_interval", TestFile::kU32, uint32_t{4}));
  ASSERT_TRUE(qwen);
  EXPECT_EQ(qwen->kv_k_elements, 64u) << "only the fourth layer attends";
  const auto mamba = facts(start("mamba").number("mamba.attention.head_count", TestFile::kU32, uint32_t{0}));
  ASSERT_TRUE(mamba);
  EXPECT_EQ(mamba->kv_k_elements, 0u);
}

TEST(ModelFacts, MissingOrMadKeysAreNamed) {
  TestFile empty;
  EXPECT_THAT(facts(empty).error().message, HasSubstr("general.architecture"));
  TestFile no_window;
  no_window.text("general.architecture", "llama");
  EXPECT_THAT(facts(no_window).error().message, HasSubstr("llama.context_length is 0"));
  const auto mad = facts(start("llama").number("llama.attention.head_count", TestFile::kU32, uint32_t{1} << 30));
  ASSERT_FALSE(mad);
  EXPECT_THAT(mad.error().message, HasSubstr("heads"));
}

}  // namespace
}  // namespace sluice::gguf
