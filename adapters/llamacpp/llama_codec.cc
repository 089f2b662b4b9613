#include "adapters/llamacpp/llama_codec.h"

#include "adapters/llamacpp/load.h"
#include "gguf/model_facts.h"
#include "llama.h"

namespace sluice::llamacpp {
namespace {

VocabularyFacts facts_from(const gguf::ModelFacts& facts, const llama_vocab* vocabulary) {
  return {.model_name = facts.name,
          .architecture = facts.architecture,
          .trained_window = facts.trained_window,
          .vocabulary = static_cast<uint32_t>(llama_vocab_n_tokens(vocabulary)),
          .file_bytes = facts.file_bytes,
          .has_chat_template = false,
          .kv_k_elements = facts.kv_k_elements,
          .kv_v_elements = facts.kv_v_elements};
}

// Tokens that letters become only where special tokens are parsed. User-defined ones are made in any text.
std::vector<std::string> control_texts(const llama_vocab* vocabulary) {
  std::vector<std::string> texts;
  for (Token token = 0; token < llama_vocab_n_tokens(vocabulary); ++token)
    if ((llama_vocab_get_attr(vocabulary, token) & (LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN)) != 0)
      texts.emplace_back(llama_vocab_get_text(vocabulary, token));
  return texts;
}

Result<ChatTemplate> open_template(const llama_model* model, bool has_one) {
  if (has_one) return ChatTemplate::open(model);
  return fail(ErrorCode::unsupported, "this model has no chat template: it continues plain prompts only");
}

}  // namespace

Result<std::unique_ptr<LlamaCodec>> LlamaCodec::open(const std::string& model_path, LibraryLog& log) {
  const auto facts = gguf::read_facts(model_path);
  if (!facts) return std::unexpected(facts.error());
  auto model = load_vocabulary(model_path, log);
  if (!model) return std::unexpected(model.error());
  auto known = facts_from(*facts, llama_model_get_vocab(model->get()));
  auto chat = open_template(model->get(), facts->has_chat_template);
  known.has_chat_template = chat.has_value();
  return std::unique_ptr<LlamaCodec>(new LlamaCodec(std::move(*model), std::move(known), std::move(chat)));
}

LlamaCodec::LlamaCodec(ModelPtr model, VocabularyFacts facts, Result<ChatTemplate> chat)
    : model_(std::move(model)),
      facts_(std::move(facts)),
      tokenizer_(llama_model_get_vocab(model_.get())),
      control_(control_texts(llama_model_get_vocab(model_.get()))),
      template_(std::move(chat)) {}

Result<std::vector<Token>> LlamaCodec::render(std::span<const ChatMessage> messages, bool add_generation_prompt) {
  if (!template_) return std::unexpected(template_.error());
  const auto shielded = control_.shield(messages);
  const auto prompt = template_->apply(shielded.messages, add_generation_prompt);
  if (!prompt) return std::unexpected(prompt.error());
  if (shielded.replaced.empty()) return tokenizer_.tokenize(*prompt, true, true);
  return tokenizer_.tokenize_parts(unshield(*prompt, shielded));
}

Result<std::vector<Token>> LlamaCodec::tokenize(std::string_view text, bool add_special, bool parse_special) {
  return tokenizer_.tokenize(text, add_special, parse_special);
}

Result<std::string> LlamaCodec::detokenize(std::span<const Token> tokens) { return tokenizer_.detokenize(tokens); }

}  // namespace sluice::llamacpp
