#include "bench/load/dialect.h"

#include <array>

#include "base/check.h"

namespace sluice::bench {
namespace {

constexpr std::array kStartable = {Kind::sluice, Kind::llama_server, Kind::superfluid,
                                   Kind::mlx_lm, Kind::ollama,       Kind::command};

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::url: return "url";
    case Kind::sluice: return "sluice";
    case Kind::llama_server: return "llama-server";
    case Kind::superfluid: return "superfluid";
    case Kind::mlx_lm: return "mlx-lm";
    case Kind::ollama: return "ollama";
    case Kind::command: return "command";
  }
  UNREACHABLE();
}

std::optional<Kind> kind_named(std::string_view name) {
  for (const Kind kind : kStartable) {
    if (name_of(kind) == name) return kind;
  }
  return std::nullopt;
}

std::string kind_names() {
  std::string names;
  for (const Kind kind : kStartable) names.append(names.empty() ? "" : ", ").append(name_of(kind));
  return names;
}

Dialect dialect_of(Kind kind) {
  switch (kind) {
    case Kind::url:
    case Kind::sluice:
    case Kind::llama_server:
    case Kind::command: return {};
    case Kind::superfluid: return {.raw = false, .class_header = "x-superfluid-qos"};
    case Kind::mlx_lm: return {.seed = false, .model = "default_model"};
    case Kind::ollama: return {.raw = false, .ready_path = "/api/version"};
  }
  UNREACHABLE();
}

}  // namespace sluice::bench
