#include "api/json_text.h"

#include <charconv>
#include <cmath>

#include "base/utf8.h"

namespace sluice::api {
namespace {

void append_escaped_byte(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    default: break;
  }
  constexpr std::string_view digits = "0123456789abcdef";
  out += "\\u00";
  out += digits[static_cast<unsigned char>(c) >> 4];
  out += digits[static_cast<unsigned char>(c) & 15];
}

bool must_be_escaped(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

void append_valid(std::string& out, std::string_view text) {
  out += '"';
  size_t start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!must_be_escaped(text[i])) continue;
    out.append(text.substr(start, i - start));
    append_escaped_byte(out, text[i]);
    start = i + 1;
  }
  out.append(text.substr(start)).append(1, '"');
}

}  // namespace

void append_string(std::string& out, std::string_view text) {
  if (is_utf8(text)) {
    append_valid(out, text);
  } else {
    append_valid(out, replace_broken_utf8(text));
  }
}

void append_integer(std::string& out, int64_t value) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void append_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  char digits[40];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

std::string& JsonObject::key(std::string_view name) {
  if (!first_) out_ += ',';
  first_ = false;
  return out_.append(1, '"').append(name).append("\":");
}

JsonObject& JsonObject::text(std::string_view name, std::string_view value) {
  append_string(key(name), value);
  return *this;
}

JsonObject& JsonObject::integer(std::string_view name, int64_t value) {
  append_integer(key(name), value);
  return *this;
}

JsonObject& JsonObject::number(std::string_view name, double value) {
  append_number(key(name), value);
  return *this;
}

JsonObject& JsonObject::raw(std::string_view name, std::string_view json) {
  key(name).append(json);
  return *this;
}

}  // namespace sluice::api
