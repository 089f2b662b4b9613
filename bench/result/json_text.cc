#include "bench/result/json_text.h"

#include <charconv>
#include <cmath>

#include "base/check.h"
#include "base/utf8.h"

namespace sluice::bench::result {
namespace {

constexpr int kDigits = 15;  // what a double holds for sure

void append_escape(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  constexpr std::string_view hex = "0123456789abcdef";
  out += "\\u00";
  out += hex[static_cast<unsigned char>(c) >> 4];
  out += hex[static_cast<unsigned char>(c) & 15];
}

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\') {
      append_escape(out, c);
    } else {
      out += c;
    }
  }
}

template <class... Format>
void append_digits(std::string& out, auto number, Format... format) {
  char digits[40];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number, format...).ptr);
}

}  // namespace

void JsonText::next() {
  if (!first_) out_ += ',';
  if (line_) out_ += '\n';
  first_ = line_ = false;
}

void JsonText::open(char bracket) {
  next();
  out_ += bracket;
  first_ = true;
}

void JsonText::close(char bracket) {
  out_ += bracket;
  first_ = false;
}

void JsonText::new_line() { line_ = true; }

void JsonText::quote(std::string_view text) {
  out_ += '"';
  if (is_utf8(text)) {
    append_escaped(out_, text);
  } else {
    append_escaped(out_, replace_broken_utf8(text));
  }
  out_ += '"';
}

void JsonText::key(std::string_view name) {
  next();
  quote(name);
  out_ += ':';
  first_ = true;
}

void JsonText::string(std::string_view text) {
  next();
  quote(text);
}

void JsonText::number(double number) {
  CHECK(std::isfinite(number));
  next();
  append_digits(out_, number, std::chars_format::general, kDigits);
}

void JsonText::integer(int64_t number) {
  next();
  append_digits(out_, number);
}

void JsonText::unsigned_integer(uint64_t number) {
  next();
  append_digits(out_, number);
}

}  // namespace sluice::bench::result
