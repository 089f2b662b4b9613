// What `sluice run` was asked, as plain values, checked. Refuses to know flags' spelling and how a chat is held.
// Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sluice::config {

struct RunOptions {
  std::string model;  // a file for a server of its own; empty: the default model, or `url`
  std::string url;    // a server that runs already; empty: start one
  std::string system;
  std::string api_key;
  std::string runtime = "llamacpp";  // of a server of its own
  std::optional<uint32_t> max_tokens;
  std::optional<double> temperature;
  std::optional<uint64_t> seed;
};

}  // namespace sluice::config
