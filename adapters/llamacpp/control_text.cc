#include "adapters/llamacpp/control_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace sluice::llamacpp {
namespace {

constexpr char kMarkEnd = 'z';

bool anywhere(std::span<const ChatMessage> messages, const std::string& text) {
  return std::ranges::any_of(messages, [&](const ChatMessage& message) {
    return message.content.contains(text) || message.role.contains(text) || message.name.contains(text);
  });
}

// Letters and digits only: templates trim, escape and join, but leave these alone.
std::string unused_mark(std::span<const ChatMessage> messages) {
  for (size_t attempt = 0;; ++attempt)
    if (auto mark = fmt::format("xq{}k", attempt); !anywhere(messages, mark)) return mark;
}

}  // namespace

ControlText::ControlText(std::vector<std::string> texts) : begins_(256, false) {
  for (auto& text : texts) {
    if (text.empty()) continue;
    begins_[static_cast<unsigned char>(text.front())] = true;
    lengths_.push_back(text.size());
    texts_.insert(std::move(text));
  }
  std::ranges::sort(lengths_, std::greater{});
  lengths_.erase(std::unique(lengths_.begin(), lengths_.end()), lengths_.end());
}

ControlText::Shielded ControlText::shield(std::span<const ChatMessage> messages) const {
  Shielded shielded{{messages.begin(), messages.end()}, unused_mark(messages), {}};
  for (auto& message : shielded.messages) {
    message.role = shield(message.role, shielded);
    message.name = shield(message.name, shielded);
    message.content = shield(message.content, shielded);
  }
  return shielded;
}

std::string ControlText::shield(const std::string& text, Shielded& into) const {
  std::string out;
  size_t kept = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t length = control_length_at(text, at);
    if (length == 0) {
      ++at;
      continue;
    }
    out.append(text, kept, at - kept).append(fmt::format("{}{}{}", into.mark, into.replaced.size(), kMarkEnd));
    into.replaced.push_back(text.substr(at, length));
    at += length;
    kept = at;
  }
  return kept == 0 ? text : out.append(text, kept);
}

size_t ControlText::control_length_at(std::string_view text, size_t at) const {
  if (!begins_[static_cast<unsigned char>(text[at])]) return 0;
  for (const size_t length : lengths_)
    if (length <= text.size() - at && texts_.contains(std::string(text.substr(at, length)))) return length;
  return 0;
}

std::vector<TextPart> unshield(std::string_view prompt, const ControlText::Shielded& shielded) {
  std::vector<TextPart> parts;
  const auto add = [&](std::string_view text, bool parse_special) {
    if (!text.empty()) parts.push_back({std::string(text), parse_special});
  };
  size_t kept = 0;
  for (size_t at = prompt.find(shielded.mark); at != std::string_view::npos; at = prompt.find(shielded.mark, at)) {
    const auto* digits = prompt.data() + at + shielded.mark.size();
    const auto* end = prompt.data() + prompt.size();
    size_t number = 0;
    const auto [after, error] = std::from_chars(digits, end, number);
    const bool whole = error == std::errc{} && after != end && *after == kMarkEnd && number < shielded.replaced.size();
    if (!whole) {
      at += shielded.mark.size();
      continue;
    }
    add(prompt.substr(kept, at - kept), true);
    add(shielded.replaced[number], false);
    kept = at = static_cast<size_t>(after + 1 - prompt.data());
  }
  add(prompt.substr(kept), true);
  return parts;
}

}  // namespace sluice::llamacpp
