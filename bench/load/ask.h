// One request as a measurement means it, and the JSON that asks it of a server. Refuses to know sockets.
// Thread: any (values).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/answer/answer.h"
#include "bench/load/dialect.h"
#include "http/http.h"

namespace sluice::bench {

struct Sampled {
  double temperature = 0.7, top_p = 0.8;
  uint32_t top_k = 20;
  uint64_t seed = 0;
};

struct Message {
  std::string role, content;
};

struct Ask {
  std::string label = {};
  bool chat = false;
  std::string prompt = {};              // of a raw completion
  std::vector<Message> messages = {};   // of a chat
  uint32_t tokens = 0;                  // of the answer, at most
  std::optional<Sampled> sampled = {};  // absent: greedy
  std::optional<bool> thinking = {};    // absent: as the model's template has it
  bool to_the_end = true;               // the answer has all its tokens
  uint32_t cached_max = 0;              // see Expected
  std::vector<http::Header> headers = {};
};

std::string_view path_of(const Ask& ask);
std::string body_of(const Ask& ask, const Dialect& dialect, const std::string& model);
Expected expected_of(const Ask& ask);

}  // namespace sluice::bench
