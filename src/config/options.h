// What `sluice serve` was asked, as plain values, checked: after parsing, everything here is possible. Refuses to know
// flags' spelling and what the values are used for. Thread: any.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "config/api_key.h"
#include "config/key_sources.h"
#include "config/queue_limits.h"
#include "core/core.h"
#include "runtime/load.h"

namespace sluice::config {

enum class LogLevel : uint8_t { error, warn, info, debug };

// A further name of the model.
struct Alias {
  std::string name;
  std::optional<Class> cls;  // of requests that use this name and name no class
  bool operator==(const Alias&) const = default;
};

enum class TuneMode : uint8_t {
  automatic,  // what is known is used, what is not is measured and kept
  off,        // the runtime's defaults
  again,      // measured and kept, whatever is known
};

struct ServeOptions {
  std::string model_path;  // resolved: exists and is a file
  std::string runtime = "llamacpp";
  std::string host = "127.0.0.1";
  uint16_t port = 8484;                // 0: the system chooses
  std::optional<uint32_t> context;     // absent: the trained window, or what memory allows
  LoadOptions load;                    // window is set later, from `context` and the memory plan
  std::optional<uint32_t> max_tokens;  // of an answer whose request names none; absent: the rest of the window
  std::string name;                    // model id; the file's stem where none was given
  std::vector<Alias> aliases;
  KeySources key_sources;
  std::vector<ApiKey> api_keys;  // as read at the start
  QueueLimits queue;
  bool metrics_open = false;  // /metrics needs no key
  bool insecure = false;      // a non-loopback address without a key
  std::chrono::seconds drain = limits::drain_seconds_default;
  LogLevel log_level = LogLevel::info;
  TuneMode tune = TuneMode::automatic;
  std::string state_folder;  // empty: there is none
};

}  // namespace sluice::config
