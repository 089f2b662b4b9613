#include "http/request_id.h"

#include <algorithm>
#include <cstdint>

#include "base/limits.h"

namespace sluice::http {

bool usable_request_id(std::string_view id) {
  const auto plain = [](char c) { return c > ' ' && c <= '~' && c != '"' && c != '\\'; };
  return !id.empty() && id.size() <= limits::request_id_bytes_max && std::all_of(id.begin(), id.end(), plain);
}

std::string RequestIds::make() {
  std::string id;
  id.reserve(32);
  for (int word = 0; word < 4; ++word) {
    uint32_t bits = random_();
    for (int i = 0; i < 8; ++i, bits >>= 4) id += "0123456789abcdef"[bits & 15];
  }
  return id;
}

}  // namespace sluice::http
