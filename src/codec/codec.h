// Text before the lane: chat template and tokenizer of one model, without its weights. An adapter implements it; it
// runs in the codec process, which may be killed when a template loops. Refuses to know requests and HTTP. Thread: the
// codec process's only one. Errors are for the caller of the request (invalid) or of the build (unsupported: this model
// has no chat template ...).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/core.h"

namespace sluice {

struct ChatMessage {
  std::string role;  // "system", "user", "assistant", ...: whatever the template knows
  std::string content;
  std::string name;  // empty where none
};

struct VocabularyFacts {
  std::string model_name;
  std::string architecture;
  uint32_t trained_window = 0;
  uint32_t vocabulary = 0;
  uint64_t file_bytes = 0;
  bool has_chat_template = false;
  // Elements that one token's KV holds over all layers; their byte size is the cache type's.
  uint64_t kv_k_elements = 0;
  uint64_t kv_v_elements = 0;
};

class Codec {
 public:
  virtual ~Codec() = default;
  virtual const VocabularyFacts& facts() const = 0;
  // The template's text, tokenized. What a message says never becomes a control token unless the template wrote it.
  virtual Result<std::vector<Token>> render(std::span<const ChatMessage> messages, bool add_generation_prompt) = 0;
  virtual Result<std::vector<Token>> tokenize(std::string_view text, bool add_special, bool parse_special) = 0;
  virtual Result<std::string> detokenize(std::span<const Token> tokens) = 0;  // raw bytes; control tokens included
};

// The bytes of single tokens, for the output of running lanes. An adapter's worker role implements it.
// Thread: step.
class TokenBytes {
 public:
  virtual ~TokenBytes() = default;
  virtual uint32_t size() const = 0;
  // Raw bytes, possibly a part of a character; empty for control tokens. Valid for this object's life.
  virtual std::string_view bytes_of(Token token) const = 0;
};

}  // namespace sluice
