// Words for people: durations, and ways a process ends. Pure. Thread: any.
#pragma once

#include <string>

#include "base/time.h"

namespace sluice::supervisor {

std::string seconds_of(Duration duration);     // "2.5 s"
std::string exit_words(int code, int status);  // of siginfo_t: "exited with 5", "was killed by signal 9 (Killed)"

}  // namespace sluice::supervisor
