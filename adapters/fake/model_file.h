// The "model" of the fake adapter: a small text file of `key = value` lines, `#` for comments, that says how the model
// behaves and breaks. README.md lists the keys. Refuses to know processes. Thread: any (values).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "runtime/fake_runtime.h"
#include "runtime/tuning.h"

namespace sluice::fake {

// The codec process breaks down where a text contains `on`.
struct CodecFault {
  enum class Kind : uint8_t { crash, hang } kind = Kind::crash;
  std::string on;
};

// What comes of measuring.
struct TuningScript {
  TuningChoice choice{.flash_attention = false, .threads = 1};
  bool crashes = false;
};

struct ModelFile {
  std::string name;  // the file's stem where the file names none
  uint64_t file_bytes = 0;
  uint32_t vocabulary = 320;
  uint32_t trained_window = 8192;
  uint32_t window = 0;  // tokens the runtime can give one sequence at most; 0: any
  uint32_t end_every = 64;
  Duration call_latency{}, row_latency{};
  Duration load_time{};
  bool has_chat_template = true;
  uint64_t kv_k_elements = 64, kv_v_elements = 64;
  std::string load_error;   // of the worker
  std::string codec_error;  // of the codec
  std::vector<ScriptedFault> faults;
  std::optional<CodecFault> codec_fault;
  TuningScript tuning;
};

// Errors name the line. invalid: a key that is unknown, given twice, or has an impossible value; io: no such file.
Result<ModelFile> parse_model_file(std::string_view text);
Result<ModelFile> read_model_file(const std::string& path);

}  // namespace sluice::fake
