// What cannot be loaded is an error that says why, and names the option at fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "adapters/llamacpp/adapter.h"
#include "adapters/llamacpp/test_model.h"

namespace sluice::llamacpp {
namespace {

using testing::HasSubstr;

Error error_of(const LoadOptions& options) {
  const auto runtime = open_test_model(options);
  return runtime ? Error{ErrorCode::internal, "it loaded", {}} : runtime.error();
}

LoadOptions file(const std::string& path) {
  auto options = test_options();
  options.model_path = path;
  return options;
}

TEST(LlamaLoad, AMissingFileIsNotFound) {
  const auto error = error_of(file("/nonexistent.gguf"));
  EXPECT_EQ(error.code, ErrorCode::not_found);
  EXPECT_THAT(error.message, HasSubstr("/nonexistent.gguf"));
}

TEST(LlamaLoad, ATextFileIsNoModel) {
  const auto error = error_of(file(std::string(SLUICE_LLAMACPP_SOURCE) + "/README.md"));
  EXPECT_EQ(error.code, ErrorCode::invalid);
  EXPECT_THAT(error.message, HasSubstr("not a GGUF file"));
}

TEST(LlamaLoad, ATruncatedModelIsSaidToBe) {
  const auto path = std::filesystem::path(testing::TempDir()) / "truncated.gguf";
  for (const uint64_t bytes : {100u << 10, 90u << 20}) {
    std::filesystem::copy_file(test_model_path(), path, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(path, bytes);
    EXPECT_THAT(error_of(file(path)).message, HasSubstr("truncated"));
  }
  // Cut within its last tensor, which only the library's own reader sees.
  std::filesystem::copy_file(test_model_path(), path, std::filesystem::copy_options::overwrite_existing);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  EXPECT_THAT(error_of(file(path)).message, HasSubstr("corrupted or incomplete"));
  std::filesystem::remove(path);
}

TEST(LlamaLoad, AVocabularyAloneIsNoModel) {
  const auto error = error_of(file(std::string(SLUICE_LLAMACPP_SOURCE) + "/models/ggml-vocab-llama-spm.gguf"));
  EXPECT_EQ(error.code, ErrorCode::invalid);
  EXPECT_THAT(error.message, HasSubstr("cannot be loaded: "));
}

TEST(LlamaLoad, UnknownNamesAreAnsweredWithWhatExists) {
  auto options = test_options();
  options.cache_type_k = "q9_9";
  auto error = error_of(options);
  EXPECT_EQ(error.field, "cache-type-k");
  EXPECT_THAT(error.message, HasSubstr("q8_0"));
  options = test_options();
  options.device = "CUDA7";
  error = error_of(options);
  EXPECT_EQ(error.field, "device");
  EXPECT_THAT(error.message, HasSubstr("CPU"));
}

TEST(LlamaLoad, QuantizedValuesNeedFlashAttention) {
  auto options = test_options();
  options.cache_type_v = "q8_0";
  options.flash_attention = FlashAttention::off;
  const auto error = error_of(options);
  EXPECT_EQ(error.field, "cache-type-v");
  EXPECT_THAT(error.message, HasSubstr("--flash-attn"));
}

TEST(LlamaLoad, NumbersOutOfRangeNameTheirOption) {
  const auto field_of = [](auto change) {
    auto options = test_options();
    change(options);
    return error_of(options).field;
  };
  EXPECT_EQ(field_of([](LoadOptions& o) { o.lanes = 0; }), "lanes");
  EXPECT_EQ(field_of([](LoadOptions& o) { o.lanes = 1000; }), "lanes");
  EXPECT_EQ(field_of([](LoadOptions& o) { o.window = 0; }), "context");
  EXPECT_EQ(field_of([](LoadOptions& o) { o.batch = 4; }), "batch");
  EXPECT_EQ(field_of([](LoadOptions& o) { o.ubatch = 0; }), "ubatch");
  EXPECT_EQ(field_of([](LoadOptions& o) { o.threads = 100000; }), "threads");
  EXPECT_EQ(field_of([](LoadOptions& o) { o.gpu_layers = -7; }), "gpu-layers");
}

TEST(LlamaLoad, EveryCacheTypeComputes) {
  for (const auto* type : {"f32", "bf16", "q8_0", "q4_0", "iq4_nl"}) {
    SCOPED_TRACE(type);
    auto options = test_options();
    options.cache_type_k = options.cache_type_v = type;
    const auto runtime = open_test_model(options);
    ASSERT_TRUE(runtime) << runtime.error().message;
    EXPECT_GE((*runtime)->memory().kv_bytes, 8u * 512 * (*runtime)->capabilities().kv_bytes_per_token);
  }
}

TEST(LlamaLoad, ProgressEndsAtOneAndTheInfoIsOneLine) {
  float last = 0;
  const auto adapter = make_adapter(test_log());
  const auto loaded = adapter.load(test_options(), [&](float fraction) { last = fraction; });
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(last, 1.0f);
  EXPECT_EQ(loaded->token_bytes->size(), loaded->runtime->capabilities().vocabulary);
  EXPECT_THAT(loaded->system_info, HasSubstr("flash attention off"));
  EXPECT_EQ(loaded->system_info.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace sluice::llamacpp
