#include "core/core.h"

#include "base/check.h"

namespace sluice {

std::string_view name_of(Class cls) {
  switch (cls) {
    case Class::interactive: return "interactive";
    case Class::completion: return "completion";
    case Class::agent: return "agent";
    case Class::background: return "background";
  }
  UNREACHABLE();
}

std::optional<Class> find_class(std::string_view name) {
  for (const Class cls : kClasses) {
    if (name_of(cls) == name) return cls;
  }
  return std::nullopt;
}

std::string_view name_of(FinishReason reason) {
  switch (reason) {
    case FinishReason::stop: return "stop";
    case FinishReason::length: return "length";
    case FinishReason::deadline: return "deadline";
  }
  UNREACHABLE();
}

}  // namespace sluice
