// Builds GGUF bytes for tests, right or wrong. Refuses to know what makes sense. Thread: one.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::gguf {

class TestFile {
 public:
  static constexpr uint32_t kU32 = 4, kI32 = 5, kF32 = 6, kBool = 7, kString = 8, kArray = 9, kU64 = 10;

  TestFile& text(std::string_view key, std::string_view value) {
    begin(key, kString);
    put_text(pairs_, value);
    return *this;
  }
  template <class T>
  TestFile& number(std::string_view key, uint32_t type, T value) {
    begin(key, type);
    put(pairs_, value);
    return *this;
  }
  template <class T>
  TestFile& array(std::string_view key, uint32_t type, const std::vector<T>& items) {
    begin_array(key, type, items.size());
    for (const T& item : items) put(pairs_, item);
    return *this;
  }
  TestFile& texts(std::string_view key, const std::vector<std::string>& items) {
    begin_array(key, kString, items.size());
    for (const auto& item : items) put_text(pairs_, item);
    return *this;
  }
  TestFile& tensor(std::string_view name, uint64_t offset) {
    put_text(tensors_, name);
    put(tensors_, uint32_t{2});
    put(tensors_, uint64_t{8});
    put(tensors_, uint64_t{4});
    put(tensors_, uint32_t{0});
    put(tensors_, offset);
    ++tensor_count_;
    return *this;
  }
  std::string bytes(uint32_t version = 3, size_t data_bytes = 0) const {
    std::string out = "GGUF";
    put(out, version);
    put(out, tensor_count_);
    put(out, pair_count_);
    out += pairs_ + tensors_;
    if (data_bytes > 0) out.resize((out.size() + 31) / 32 * 32 + data_bytes);
    return out;
  }

 private:
  template <class T>
  static void put(std::string& out, T value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    out.append(raw, sizeof value);
  }
  static void put_text(std::string& out, std::string_view value) {
    put(out, uint64_t{value.size()});
    out += value;
  }
  void begin(std::string_view key, uint32_t type) {
    put_text(pairs_, key);
    put(pairs_, type);
    ++pair_count_;
  }
  void begin_array(std::string_view key, uint32_t type, uint64_t items) {
    begin(key, kArray);
    put(pairs_, type);
    put(pairs_, items);
  }

  std::string pairs_, tensors_;
  uint64_t pair_count_ = 0, tensor_count_ = 0;
};

inline TestFile small_model() {
  TestFile file;
  file.text("general.architecture", "llama")
      .text("general.name", "tiny")
      .number("llama.context_length", TestFile::kU32, uint32_t{2048})
      .number("llama.block_count", TestFile::kU32, uint32_t{3})
      .number("llama.embedding_length", TestFile::kU32, uint32_t{64})
      .number("llama.attention.head_count", TestFile::kU32, uint32_t{4})
      .number("llama.attention.head_count_kv", TestFile::kU32, uint32_t{2})
      .texts("tokenizer.ggml.tokens", {"a", "b", "<|end|>"})
      .array<float>("tokenizer.ggml.scores", TestFile::kF32, {0, 1, 2})
      .text("tokenizer.chat_template", "{{ messages }}");
  return file;
}

}  // namespace sluice::gguf
