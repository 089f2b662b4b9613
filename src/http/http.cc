#include "http/http.h"

#include <algorithm>

namespace sluice::http {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::string_view name_of(Method method) {
  switch (method) {
    case Method::get: return "GET";
    case Method::post: return "POST";
    case Method::head: return "HEAD";
    case Method::options: return "OPTIONS";
    case Method::put: return "PUT";
    case Method::patch: return "PATCH";
    case Method::del: return "DELETE";
    case Method::other: return "OTHER";
  }
  return "OTHER";
}

std::optional<std::string_view> Request::header(std::string_view name) const {
  for (const Header& h : headers) {
    if (same_name(h.name, name)) return h.value;
  }
  return std::nullopt;
}

}  // namespace sluice::http
