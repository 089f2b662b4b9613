// Keeps what a message says from becoming control tokens. A template's own "<|im_end|>" is one; the same letters in a
// message are text. Before rendering, such letters are exchanged for a mark that no message contains and no template
// changes; after it the prompt is cut at the marks, and what they stand for is tokenized as text.
// Refuses to know templates and tokenizers. Thread: any.
#pragma once

#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "adapters/llamacpp/tokenizer.h"
#include "codec/codec.h"

namespace sluice::llamacpp {

class ControlText final {
 public:
  // `texts`: of every token that a tokenizer which parses special tokens would make of letters.
  explicit ControlText(std::vector<std::string> texts);

  struct Shielded {
    std::vector<ChatMessage> messages;
    std::string mark;                   // begins every mark; its number and an end follow
    std::vector<std::string> replaced;  // by number; empty: the messages are as they came
  };
  Shielded shield(std::span<const ChatMessage> messages) const;

 private:
  std::string shield(const std::string& text, Shielded& into) const;
  size_t control_length_at(std::string_view text, size_t at) const;  // 0: none begins here

  std::unordered_set<std::string> texts_;
  std::vector<size_t> lengths_;  // of texts_, each once, longest first
  std::vector<bool> begins_;     // by first byte
};

// The prompt that was rendered from shielded messages, cut at its marks.
std::vector<TextPart> unshield(std::string_view prompt, const ControlText::Shielded& shielded);

}  // namespace sluice::llamacpp
