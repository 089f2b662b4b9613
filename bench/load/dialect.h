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

// bench/peers/README.md has where each was seen. All are started with models that go on to the last token that is asked
// for, or take ignore_eos.
struct Dialect {
  bool raw = true;   // /v1/completions takes a text as it is, and says how many tokens it made of it
  bool seed = true;  // a seed does not keep requests from running together
  const char* ready_path = "/health";
  const char* model = nullptr;         // what it is asked for; null: the first of /v1/models
  const char* class_header = nullptr;  // says who goes first; null: it has no classes
};
Dialect dialect_of(Kind kind);

}  // namespace sluice::bench
