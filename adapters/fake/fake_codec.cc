#include "adapters/fake/fake_codec.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "adapters/fake/vocabulary.h"

namespace sluice::fake {
namespace {

void append_bytes(std::string_view text, std::vector<Token>& tokens) {
  for (const char byte : text) tokens.push_back(static_cast<uint8_t>(byte));
}

// The control token whose text `text` starts with.
std::optional<Token> leading_control(std::string_view text) {
  if (!text.starts_with("<|")) return std::nullopt;
  const auto end = text.find("|>");
  return end == std::string_view::npos ? std::nullopt : control_named(text.substr(0, end + 2));
}

}  // namespace

FakeCodec::FakeCodec(ModelFile file) : file_(std::move(file)) {
  facts_.model_name = file_.name;
  facts_.architecture = "fake";
  facts_.trained_window = file_.trained_window;
  facts_.vocabulary = file_.vocabulary;
  facts_.file_bytes = file_.file_bytes;
  facts_.has_chat_template = file_.has_chat_template;
  facts_.kv_k_elements = file_.kv_k_elements;
  facts_.kv_v_elements = file_.kv_v_elements;
}

Result<std::vector<Token>> FakeCodec::render(std::span<const ChatMessage> messages, bool add_generation_prompt) {
  if (!file_.has_chat_template) return fail(ErrorCode::unsupported, "this model has no chat template");
  std::vector<Token> tokens{kStart};
  for (const ChatMessage& message : messages) {
    if (auto rendered = render_message(message, tokens); !rendered) return std::unexpected(rendered.error());
  }
  if (add_generation_prompt) tokens.push_back(*control_named("<|assistant|>"));
  return tokens;
}

Result<void> FakeCodec::render_message(const ChatMessage& message, std::vector<Token>& tokens) {
  const auto role = control_named("<|" + message.role + "|>");
  if (!role || *role == kStart || *role == kEnd) {
    return fail(
        ErrorCode::invalid,
        fmt::format("the chat template knows system, developer, user, assistant and tool, not \"{}\"", message.role),
        "messages");
  }
  break_down_on(message.content);
  tokens.push_back(*role);
  if (!message.name.empty()) append_bytes(message.name + ": ", tokens);
  append_bytes(message.content, tokens);
  tokens.push_back(kEnd);
  return {};
}

Result<std::vector<Token>> FakeCodec::tokenize(std::string_view text, bool add_special, bool parse_special) {
  break_down_on(text);
  std::vector<Token> tokens;
  if (add_special) tokens.push_back(kStart);
  while (!text.empty()) {
    const auto control = parse_special ? leading_control(text) : std::nullopt;
    tokens.push_back(control ? *control : static_cast<uint8_t>(text.front()));
    text.remove_prefix(control ? control_text(*control).size() : 1);
  }
  return tokens;
}

Result<std::string> FakeCodec::detokenize(std::span<const Token> tokens) {
  std::string text;
  for (const Token token : tokens) {
    if (token < 0 || static_cast<uint32_t>(token) >= file_.vocabulary) {
      return fail(ErrorCode::invalid, fmt::format("token {} is outside the vocabulary of {}", token, file_.vocabulary));
    }
    if (token < kFirstControl) {
      text.push_back(static_cast<char>(token));
    } else {
      text += control_text(token);
    }
  }
  return text;
}

void FakeCodec::break_down_on(std::string_view text) const {
  if (!file_.codec_fault || text.find(file_.codec_fault->on) == std::string_view::npos) return;
  switch (file_.codec_fault->kind) {
    case CodecFault::Kind::crash: std::abort();
    case CodecFault::Kind::hang:
      for (;;) ::pause();
  }
}

Result<std::unique_ptr<Codec>> open_codec(const std::string& model_path) {
  auto file = read_model_file(model_path);
  if (!file) return std::unexpected(file.error());
  if (!file->codec_error.empty()) return fail(ErrorCode::io, file->codec_error);
  return std::make_unique<FakeCodec>(*std::move(file));
}

}  // namespace sluice::fake
