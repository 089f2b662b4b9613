#include "adapters/llamacpp/tokenizer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "llama.h"

namespace sluice::llamacpp {
namespace {

// Calls `write(buffer, capacity)`, which answers how much it wrote, or minus what it needs.
template <class Buffer, class Write>
bool fill_grown(Buffer& buffer, Write write) {
  auto written = write(buffer.data(), static_cast<int32_t>(buffer.size()));
  if (written < 0 && written != INT32_MIN) {
    buffer.resize(static_cast<size_t>(-written));
    written = write(buffer.data(), static_cast<int32_t>(buffer.size()));
  }
  if (written < 0) return false;
  buffer.resize(static_cast<size_t>(written));
  return true;
}

}  // namespace

Result<std::vector<Token>> Tokenizer::tokenize(std::string_view text, bool add_special, bool parse_special) const {
  if (text.size() > limits::body_bytes_max)
    return fail(ErrorCode::too_large,
                fmt::format("a text of {} bytes; {} can be tokenized", text.size(), limits::body_bytes_max));
  std::vector<Token> tokens(text.size() / 2 + 16);
  try {
    if (fill_grown(tokens, [&](Token* out, int32_t room) {
          return llama_tokenize(vocabulary_, text.data(), static_cast<int32_t>(text.size()), out, room, add_special,
                                parse_special);
        }))
      return tokens;
  } catch (const std::exception& error) {
    return fail(ErrorCode::invalid, fmt::format("this text cannot be tokenized: {}", error.what()));
  }
  return fail(ErrorCode::invalid, "this text cannot be tokenized");
}

// SentencePiece vocabularies put a space before a text. In the middle of one it would be a foreign letter, so a line
// feed stands in front, and its tokens are taken off again.
Result<std::vector<Token>> Tokenizer::continue_with(const TextPart& part) const {
  if (llama_vocab_type(vocabulary_) != LLAMA_VOCAB_TYPE_SPM) return tokenize(part.text, false, part.parse_special);
  const auto front = tokenize("\n", false, false);
  auto tokens = tokenize("\n" + part.text, false, part.parse_special);
  if (!front || !tokens) return tokens;
  const bool apart = tokens->size() >= front->size() && std::equal(front->begin(), front->end(), tokens->begin());
  if (!apart) return tokenize(part.text, false, part.parse_special);
  tokens->erase(tokens->begin(), tokens->begin() + static_cast<std::ptrdiff_t>(front->size()));
  return tokens;
}

Result<std::vector<Token>> Tokenizer::tokenize_parts(std::span<const TextPart> parts) const {
  std::vector<Token> all;
  if (llama_vocab_get_add_bos(vocabulary_)) all.push_back(llama_vocab_bos(vocabulary_));
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto tokens = i == 0 ? tokenize(parts[0].text, false, parts[0].parse_special) : continue_with(parts[i]);
    if (!tokens) return tokens;
    all.insert(all.end(), tokens->begin(), tokens->end());
  }
  if (llama_vocab_get_add_eos(vocabulary_)) all.push_back(llama_vocab_eos(vocabulary_));
  return all;
}

Result<std::string> Tokenizer::detokenize(std::span<const Token> tokens) const {
  const auto vocabulary = llama_vocab_n_tokens(vocabulary_);
  for (const Token token : tokens)
    if (token < 0 || token >= vocabulary)
      return fail(ErrorCode::invalid, fmt::format("token {} is outside the vocabulary of {}", token, vocabulary));
  std::string text(tokens.size() * 4 + 16, '\0');
  if (fill_grown(text, [&](char* out, int32_t room) {
        return llama_detokenize(vocabulary_, tokens.data(), static_cast<int32_t>(tokens.size()), out, room,
                                /*remove_special=*/false, /*unparse_special=*/true);
      }))
    return text;
  return fail(ErrorCode::invalid, "these tokens cannot be written as text");
}

std::string piece_of(const llama_vocab* vocabulary, Token token) {
  std::string piece(64, '\0');
  const bool written = fill_grown(piece, [&](char* out, int32_t room) {
    return llama_token_to_piece(vocabulary, token, out, room, /*lstrip=*/0, /*special=*/false);
  });
  return written ? piece : std::string{};
}

}  // namespace sluice::llamacpp
