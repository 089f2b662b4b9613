// What the library says: warnings and errors go to stderr, the errors of one attempt are kept to name its cause.
// The library has one sink for the whole process, so there is one of these, made first and destroyed last.
// Refuses to know who failed. Thread: any.
#pragma once

#include <mutex>
#include <string>
#include <vector>

namespace sluice::llamacpp {

class LibraryLog final {
 public:
  LibraryLog();
  ~LibraryLog();
  LibraryLog(const LibraryLog&) = delete;
  LibraryLog& operator=(const LibraryLog&) = delete;

  // Begins an attempt: forgets earlier errors.
  void begin();
  // The first error of the attempt, the one the others follow from; "no reason given" where there is none.
  std::string cause() const;

  // For the sink only. `level` is a ggml_log_level.
  void take(int level, const char* text);

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> errors_;
};

}  // namespace sluice::llamacpp
