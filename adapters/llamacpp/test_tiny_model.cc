#include "adapters/llamacpp/test_tiny_model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <initializer_list>
#include <random>
#include <vector>

#include "base/check.h"
#include "ggml.h"
#include "gguf.h"

namespace sluice::llamacpp {
namespace {

constexpr int64_t kWidth = 64, kHeads = 4, kKvHeads = 2, kHead = 16, kWide = 128, kLayers = 4;

class Writer {
 public:
  explicit Writer(std::string architecture) : architecture_(std::move(architecture)) {
    set("general.architecture", architecture_);
    set("general.name", "tiny " + architecture_);
    for (const auto& [key, value] :
         std::initializer_list<std::pair<const char*, int64_t>>{{"context_length", 1024},
                                                                {"embedding_length", kWidth},
                                                                {"block_count", kLayers},
                                                                {"feed_forward_length", kWide},
                                                                {"vocab_size", kTinyVocabulary}})
      number(key, value);
    real("attention.layer_norm_rms_epsilon", 1e-6f);
    add_vocabulary();
  }
  ~Writer() {
    gguf_free(file_);
    ggml_free(tensors_);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void number(const std::string& key, int64_t value) {
    gguf_set_val_u32(file_, full(key).c_str(), static_cast<uint32_t>(value));
  }
  void real(const std::string& key, float value) { gguf_set_val_f32(file_, full(key).c_str(), value); }
  void numbers(const std::string& key, const std::vector<int32_t>& values) {
    gguf_set_arr_data(file_, full(key).c_str(), GGUF_TYPE_INT32, values.data(), values.size());
  }

  void random(const std::string& name, std::initializer_list<int64_t> shape) {
    std::normal_distribution<float> normal(0, 1 / std::sqrt(static_cast<float>(*shape.begin())));
    fill(name, shape, [&] { return normal(random_); });
  }
  void constant(const std::string& name, std::initializer_list<int64_t> shape, float value) {
    fill(name, shape, [value] { return value; });
  }
  void norm(const std::string& name, int64_t size) { constant(name, {size}, 1); }

  void embeddings(const std::string& last_norm) {
    random("token_embd.weight", {kWidth, kTinyVocabulary});
    norm(last_norm, kWidth);
  }
  void attention_keys() {
    number("attention.head_count", kHeads);
    number("attention.head_count_kv", kKvHeads);
    real("rope.freq_base", 10000);
  }
  void attention(const std::string& block, bool norms) {
    random(block + "attn_q.weight", {kWidth, kHeads * kHead});
    random(block + "attn_k.weight", {kWidth, kKvHeads * kHead});
    random(block + "attn_v.weight", {kWidth, kKvHeads * kHead});
    random(block + "attn_output.weight", {kHeads * kHead, kWidth});
    if (!norms) return;
    norm(block + "attn_q_norm.weight", kHead);
    norm(block + "attn_k_norm.weight", kHead);
  }
  void feed_forward(const std::string& block) {
    norm(block + "ffn_norm.weight", kWidth);
    random(block + "ffn_gate.weight", {kWidth, kWide});
    random(block + "ffn_up.weight", {kWidth, kWide});
    random(block + "ffn_down.weight", {kWide, kWidth});
  }

  void write(const std::string& path) { CHECK(gguf_write_to_file(file_, path.c_str(), /*only_meta=*/false)); }

 private:
  static constexpr size_t kArena = 32u << 20;

  std::string full(const std::string& key) const { return architecture_ + "." + key; }
  void set(const std::string& key, const std::string& value) { gguf_set_val_str(file_, key.c_str(), value.c_str()); }

  template <class Next>
  void fill(const std::string& name, std::initializer_list<int64_t> shape, Next next) {
    auto* tensor = ggml_new_tensor(tensors_, GGML_TYPE_F32, static_cast<int>(shape.size()), shape.begin());
    ggml_set_name(tensor, name.c_str());
    auto* data = static_cast<float*>(tensor->data);
    for (int64_t i = 0; i < ggml_nelements(tensor); ++i) data[i] = next();
    gguf_add_tensor(file_, tensor);
  }

  // A SentencePiece vocabulary: control tokens, all bytes, letters.
  void add_vocabulary() {
    constexpr int32_t kNormal = 1, kUnknown = 2, kControl = 3, kByte = 6;
    std::vector<std::string> texts = {"<unk>", "<s>", "</s>"};
    std::vector<int32_t> types = {kUnknown, kControl, kControl};
    for (int byte = 0; byte < 256; ++byte) {
      texts.push_back(fmt::format("<0x{:02X}>", byte));
      types.push_back(kByte);
    }
    while (texts.size() < kTinyVocabulary) {
      texts.push_back(fmt::format("\u2581w{}", texts.size()));
      types.push_back(kNormal);
    }
    const std::vector<float> scores(texts.size(), 0);
    std::vector<const char*> pointers;
    for (const auto& text : texts) pointers.push_back(text.c_str());
    set("tokenizer.ggml.model", "llama");
    gguf_set_arr_str(file_, "tokenizer.ggml.tokens", pointers.data(), pointers.size());
    gguf_set_arr_data(file_, "tokenizer.ggml.scores", GGUF_TYPE_FLOAT32, scores.data(), scores.size());
    gguf_set_arr_data(file_, "tokenizer.ggml.token_type", GGUF_TYPE_INT32, types.data(), types.size());
    gguf_set_val_u32(file_, "tokenizer.ggml.unknown_token_id", 0);
    gguf_set_val_u32(file_, "tokenizer.ggml.bos_token_id", 1);
    gguf_set_val_u32(file_, "tokenizer.ggml.eos_token_id", 2);
  }

  std::string architecture_;
  gguf_context* file_ = gguf_init_empty();
  ggml_context* tensors_ = ggml_init({kArena, nullptr, /*no_alloc=*/false});
  std::mt19937 random_{1};
};

std::string block_name(int64_t layer) { return fmt::format("blk.{}.", layer); }

void write_llama(const std::string& path) {
  Writer writer("llama");
  writer.attention_keys();
  writer.number("rope.dimension_count", kHead);
  writer.embeddings("output_norm.weight");
  for (int64_t layer = 0; layer < kLayers; ++layer) {
    const auto block = block_name(layer);
    writer.norm(block + "attn_norm.weight", kWidth);
    writer.attention(block, false);
    writer.feed_forward(block);
  }
  writer.write(path);
}

void write_gemma3(const std::string& path) {
  Writer writer("gemma3");
  writer.attention_keys();
  writer.number("attention.key_length", kHead);
  writer.number("attention.value_length", kHead);
  writer.number("attention.sliding_window", 64);
  writer.number("attention.sliding_window_pattern", 2);
  writer.embeddings("output_norm.weight");
  for (int64_t layer = 0; layer < kLayers; ++layer) {
    const auto block = block_name(layer);
    writer.norm(block + "attn_norm.weight", kWidth);
    writer.attention(block, true);
    writer.norm(block + "post_attention_norm.weight", kWidth);
    writer.feed_forward(block);
    writer.norm(block + "post_ffw_norm.weight", kWidth);
  }
  writer.write(path);
}

void write_mamba(const std::string& path) {
  constexpr int64_t kInner = 2 * kWidth, kState = 16, kKernel = 4, kRank = 4;
  Writer writer("mamba");
  writer.number("attention.head_count", 0);
  writer.number("ssm.conv_kernel", kKernel);
  writer.number("ssm.inner_size", kInner);
  writer.number("ssm.state_size", kState);
  writer.number("ssm.time_step_rank", kRank);
  writer.embeddings("output_norm.weight");
  for (int64_t layer = 0; layer < kLayers; ++layer) {
    const auto block = block_name(layer);
    writer.norm(block + "attn_norm.weight", kWidth);
    writer.random(block + "ssm_in.weight", {kWidth, 2 * kInner});
    writer.random(block + "ssm_conv1d.weight", {kKernel, kInner});
    writer.constant(block + "ssm_conv1d.bias", {kInner}, 0);
    writer.random(block + "ssm_x.weight", {kInner, kRank + 2 * kState});
    writer.random(block + "ssm_dt.weight", {kRank, kInner});
    writer.constant(block + "ssm_dt.bias", {kInner}, 0.1f);
    writer.constant(block + "ssm_a", {kState, kInner}, -0.5f);
    writer.constant(block + "ssm_d", {kInner}, 1);
    writer.random(block + "ssm_out.weight", {kInner, kWidth});
  }
  writer.write(path);
}

void write_lfm2(const std::string& path) {
  constexpr int64_t kCache = 3;
  Writer writer("lfm2");
  writer.attention_keys();
  writer.numbers("attention.head_count_kv", {0, kKvHeads, 0, kKvHeads});
  writer.number("shortconv.l_cache", kCache);
  writer.embeddings("token_embd_norm.weight");
  for (int64_t layer = 0; layer < kLayers; ++layer) {
    const auto block = block_name(layer);
    writer.norm(block + "attn_norm.weight", kWidth);
    writer.feed_forward(block);
    if (layer % 2 == 1) {
      writer.attention(block, true);
      continue;
    }
    writer.random(block + "shortconv.conv.weight", {kCache, kWidth});
    writer.random(block + "shortconv.in_proj.weight", {kWidth, 3 * kWidth});
    writer.random(block + "shortconv.out_proj.weight", {kWidth, kWidth});
  }
  writer.write(path);
}

}  // namespace

std::string tiny_model(TinyKind kind) {
  const auto path = fmt::format("{}sluice-tiny-{}-{}.gguf", testing::TempDir(), static_cast<int>(kind), getpid());
  if (access(path.c_str(), R_OK) == 0) return path;
  switch (kind) {
    case TinyKind::llama: write_llama(path); break;
    case TinyKind::gemma3: write_gemma3(path); break;
    case TinyKind::mamba: write_mamba(path); break;
    case TinyKind::lfm2: write_lfm2(path); break;
  }
  return path;
}

}  // namespace sluice::llamacpp
