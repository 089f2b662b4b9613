#include "bench/result/json_text.h"

#include <charconv>
#include <cmath>

#include "api/json_text.h"
#include "base/check.h"

namespace sluice::bench::result {
namespace {

constexpr int kDigits = 15;  // what a double holds for sure

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

void JsonText::key(std::string_view name) {
  next();
  api::append_string(out_, name);
  out_ += ':';
  first_ = true;
}

void JsonText::string(std::string_view text) {
  next();
  api::append_string(out_, text);
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
