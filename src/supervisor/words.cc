#include "supervisor/words.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>

namespace sluice::supervisor {

std::string seconds_of(Duration duration) { return fmt::format("{:.3g} s", to_seconds(duration)); }

std::string exit_words(int code, int status) {
  if (code == CLD_EXITED) return fmt::format("exited with {}", status);
  const char* meaning = ::sigdescr_np(status);
  return fmt::format("was killed by signal {} ({})", status, meaning ? meaning : "unknown");
}

}  // namespace sluice::supervisor
