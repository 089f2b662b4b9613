#include "adapters/llamacpp/library_log.h"

#include <cstdio>
#include <string_view>

#include "base/limits.h"
#include "ggml.h"
#include "llama.h"
#include "log.h"

namespace sluice::llamacpp {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto last = text.find_last_not_of(" \n\r\t");
  return last == std::string_view::npos ? std::string_view{} : text.substr(0, last + 1);
}

// "llama_model_load: error loading model: x" says x.
std::string_view without_function(std::string_view text) {
  const auto colon = text.find(": ");
  if (colon == std::string_view::npos || text.substr(0, colon).find(' ') != std::string_view::npos) return text;
  return text.substr(colon + 2);
}

}  // namespace

LibraryLog::LibraryLog() {
  llama_log_set(
      [](ggml_log_level level, const char* text, void* self) { static_cast<LibraryLog*>(self)->take(level, text); },
      this);
  common_log_set_verbosity_thold(LOG_LEVEL_ERROR);
}

LibraryLog::~LibraryLog() { llama_log_set(nullptr, nullptr); }

void LibraryLog::begin() {
  const std::lock_guard lock(mutex_);
  errors_.clear();
}

std::string LibraryLog::cause() const {
  const std::lock_guard lock(mutex_);
  return errors_.empty() ? "no reason given" : errors_.front();
}

void LibraryLog::take(int level, const char* text) {
  if (level != GGML_LOG_LEVEL_WARN && level != GGML_LOG_LEVEL_ERROR) return;
  std::fputs(text, stderr);
  if (level != GGML_LOG_LEVEL_ERROR) return;
  const auto line = without_function(trimmed(text));
  const std::lock_guard lock(mutex_);
  if (!line.empty() && errors_.size() < limits::library_errors_kept_max) errors_.emplace_back(line);
}

}  // namespace sluice::llamacpp
