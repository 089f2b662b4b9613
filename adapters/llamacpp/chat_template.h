// The chat template that a model brings, applied by the library's `common`. Refuses to know tokens. Thread: one.
// Lifetime: within the model's.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "codec/codec.h"

struct llama_model;
struct common_chat_templates;

namespace sluice::llamacpp {

class ChatTemplate final {
 public:
  // Error: unsupported, where the template cannot be understood. The model has one.
  static Result<ChatTemplate> open(const llama_model* model);
  ChatTemplate(ChatTemplate&&) noexcept;
  ChatTemplate& operator=(ChatTemplate&&) noexcept;
  ~ChatTemplate();

  // Error: invalid, in the template's own words.
  Result<std::string> apply(std::span<const ChatMessage> messages, bool add_generation_prompt) const;

 private:
  struct Free {
    void operator()(common_chat_templates* templates) const;
  };
  explicit ChatTemplate(common_chat_templates* templates);
  std::unique_ptr<common_chat_templates, Free> templates_;
};

}  // namespace sluice::llamacpp
