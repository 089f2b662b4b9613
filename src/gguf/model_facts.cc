#include "gguf/model_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/limits.h"

namespace sluice::gguf {
namespace {

class Keys {
 public:
  Keys(const Header& header, std::string architecture) : header_(header), prefix_(std::move(architecture) + ".") {}

  uint64_t number(std::string_view key, uint64_t otherwise = 0) const {
    return header_.unsigned_of(prefix_ + std::string(key)).value_or(otherwise);
  }
  std::vector<uint64_t> per_layer(std::string_view key, uint64_t layers, const std::vector<uint64_t>& otherwise) const {
    return header_.per_layer(prefix_ + std::string(key), layers).value_or(otherwise);
  }
  std::string full(std::string_view key) const { return prefix_ + std::string(key); }

 private:
  const Header& header_;
  std::string prefix_;
};

Result<uint64_t> in_range(const Keys& keys, std::string_view key, uint64_t least, uint64_t most) {
  const auto value = keys.number(key);
  if (value >= least && value <= most) return value;
  return fail(ErrorCode::invalid, fmt::format("{} is {}; {} to {} makes sense", keys.full(key), value, least, most));
}

// Heads that keep KV in each layer. Zero where a layer is recurrent: hybrids say so by an array, or by the interval of
// their attention layers.
std::vector<uint64_t> kv_heads(const Keys& keys, uint64_t layers) {
  const auto heads = keys.per_layer("attention.head_count", layers, std::vector<uint64_t>(layers, 0));
  auto kv = keys.per_layer("attention.head_count_kv", layers, heads);
  const auto interval = keys.number("full_attention_interval");
  for (uint64_t i = 0; interval > 0 && i < layers; ++i)
    if ((i + 1) % interval != 0) kv[i] = 0;
  return kv;
}

uint64_t first_nonzero(const std::vector<uint64_t>& values) {
  for (const auto value : values)
    if (value != 0) return value;
  return 0;
}

Result<void> add_kv(const Keys& keys, uint64_t layers, ModelFacts& facts) {
  const auto heads = first_nonzero(keys.per_layer("attention.head_count", layers, std::vector<uint64_t>(layers, 0)));
  const auto embedding = keys.number("embedding_length");
  const uint64_t head_length = heads == 0 ? 0 : embedding / heads;
  facts.key_length = keys.number("attention.key_length", head_length);
  facts.value_length = keys.number("attention.value_length", head_length);
  if (facts.key_length > limits::gguf_head_length_max || facts.value_length > limits::gguf_head_length_max)
    return fail(ErrorCode::invalid, fmt::format("heads of {} and {} elements", facts.key_length, facts.value_length));
  for (const auto kv : kv_heads(keys, layers)) {
    if (kv > limits::gguf_heads_max) return fail(ErrorCode::invalid, fmt::format("a layer of {} heads", kv));
    facts.kv_k_elements += kv * facts.key_length;
    facts.kv_v_elements += kv * facts.value_length;
  }
  if (std::max(facts.kv_k_elements, facts.kv_v_elements) > limits::gguf_kv_elements_max)
    return fail(ErrorCode::invalid, fmt::format("a token of {} KV elements", facts.kv_k_elements));
  return {};
}

}  // namespace

Result<ModelFacts> facts_of(const Header& header, const std::string& path) {
  ModelFacts facts;
  facts.architecture = header.text_of("general.architecture").value_or("");
  if (facts.architecture.empty()) return fail(ErrorCode::invalid, "the header has no general.architecture");
  const Keys keys(header, facts.architecture);
  const auto window = in_range(keys, "context_length", 1, UINT32_MAX);
  if (!window) return std::unexpected(window.error());
  const auto layers = in_range(keys, "block_count", 1, limits::gguf_layers_max);
  if (!layers) return std::unexpected(layers.error());
  facts.name = header.text_of("general.name").value_or("");
  if (facts.name.empty()) facts.name = std::filesystem::path(path).stem().string();
  facts.file_bytes = header.file_bytes();
  facts.trained_window = static_cast<uint32_t>(*window);
  facts.layers = static_cast<uint32_t>(*layers);
  facts.vocabulary = static_cast<uint32_t>(header.array_items("tokenizer.ggml.tokens"));
  if (facts.vocabulary == 0) return fail(ErrorCode::invalid, "the header has no tokenizer.ggml.tokens");
  facts.has_chat_template = header.text_of("tokenizer.chat_template").has_value();
  if (auto added = add_kv(keys, *layers, facts); !added) return std::unexpected(added.error());
  return facts;
}

Result<ModelFacts> read_facts(const std::string& path) {
  const auto header = Header::read(path);
  if (!header) return std::unexpected(header.error());
  auto facts = facts_of(*header, path);
  if (!facts) facts.error().message = path + ": " + facts.error().message;
  return facts;
}

}  // namespace sluice::gguf
