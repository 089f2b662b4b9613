#include "bench/report/text.h"

#include <algorithm>

#include "base/utf8.h"

namespace sluice::bench::report {
namespace {

constexpr std::string_view kPlainInShell = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+./:,@%";

void append_html(std::string& out, char c) {
  switch (c) {
    case '&': out += "&amp;"; return;
    case '<': out += "&lt;"; return;
    case '>': out += "&gt;"; return;
    case '"': out += "&quot;"; return;
    case '\'': out += "&#39;"; return;
    default: break;
  }
  const bool control = (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
  if (control) {
    out += kReplacementCharacter;
  } else {
    out += c;
  }
}

void append_markdown(std::string& out, char c) {
  constexpr std::string_view markup = "\\|`*_[]<>#~";
  if (markup.find(c) != std::string_view::npos) {
    out += '\\';
    out += c;
  } else {
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
}

std::string shell_word(std::string_view word) {
  if (!word.empty() && word.find_first_not_of(kPlainInShell) == std::string_view::npos) return std::string(word);
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : replace_broken_utf8(text)) append_html(out, c);
  return out;
}

std::string markdown_escaped(std::string_view text) {
  std::string out;
  for (const char c : replace_broken_utf8(text)) append_markdown(out, c);
  return out;
}

std::string markdown_code(std::string_view text) {
  std::string out = "    ";
  for (const char c : replace_broken_utf8(text)) {
    if (c == '\n') {
      out += "\n    ";
    } else {
      out += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? ' ' : c;
    }
  }
  return out + "\n";
}

size_t character_count(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string shortened(std::string_view text, size_t characters) {
  if (character_count(text) <= characters) return std::string(text);
  size_t kept = 0;
  size_t seen = 0;
  while (kept < text.size() && (seen += begins_character(text[kept])) < characters) ++kept;
  return std::string(text.substr(0, kept)) + "…";
}

std::string_view base_name(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string command_line(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) {
    if (!out.empty()) out += ' ';
    out += shell_word(word);
  }
  return out;
}

}  // namespace sluice::bench::report
