// The default model for this folder's tests, opened small. Refuses to know what is tested. Thread: one.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "adapters/llamacpp/library_log.h"
#include "adapters/llamacpp/llama_runtime.h"

namespace sluice::llamacpp {

inline std::string test_model_path() { return SLUICE_TEST_MODEL; }

inline LibraryLog& test_log() {
  static LibraryLog log;  // one for the test program, as there is one sink for a process
  return log;
}

inline LoadOptions test_options() {
  LoadOptions options;
  options.model_path = test_model_path();
  options.lanes = 8;
  options.window = 512;
  options.batch = 256;
  options.ubatch = 128;
  options.threads = 1;  // tests share their cores: two threads that wait for each other would take many times longer
  return options;
}

inline Result<std::unique_ptr<LlamaRuntime>> open_test_model(const LoadOptions& options) {
  return LlamaRuntime::open(options, test_log(), [](float) {});
}

// Ordinary tokens; texts of different variants differ from their first token on.
inline std::vector<Token> test_text(size_t count, uint32_t variant) {
  std::vector<Token> tokens;
  for (size_t i = 0; i < count; ++i) tokens.push_back(static_cast<Token>(1000 + (variant * 6007 + i * 7919) % 40000));
  return tokens;
}

}  // namespace sluice::llamacpp
