// What a kind of server takes, where servers of OpenAI's API differ. Refuses to know processes and measurements.
// Thread: any (values).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sluice::bench {

enum class Kind : uint8_t { url, sluice, llama_server, superfluid, mlx_lm, ollama, command };

std::string_view name_of(Kind kind);  // as --start has it: "llama-server"
std::optional<Kind> kind_named(std::string_view name);
std::string kind_names();  // of those that can be started

struct Dialect {
  bool raw = true;         // /v1/completions takes a text as it is
  bool ignore_eos = true;  // an answer can be made to go on to its last token
  bool seed = true;        // a seed does not keep requests from running together
  const char* ready_path = "/health";
};
Dialect dialect_of(Kind kind);

}  // namespace sluice::bench
