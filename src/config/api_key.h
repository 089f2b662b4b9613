// An API key as its operator wrote it down: by what it is recognized, how it is called, and what it may. Refuses to
// know who counts. Thread: any (values).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/sha256.h"
#include "core/core.h"

namespace sluice::config {

struct ApiKey {
  std::string name;                      // in logs and metrics; each its own
  Sha256 hash;                           // of the key's text, which is kept nowhere
  std::optional<Class> cls;              // of its requests that name none
  Class max_class = Class::interactive;  // the best that it may have
  std::optional<uint32_t> requests_per_minute;
  std::optional<uint32_t> tokens_per_minute;  // prompt and answer
  std::optional<uint32_t> concurrency;        // answers that live at once
};

}  // namespace sluice::config
