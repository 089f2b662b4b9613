// How much memory a process has resident, as the kernel counts it. Thread: any.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace sluice::supervisor {

uint64_t resident_bytes_of(pid_t pid);  // 0 where there is no such process

}  // namespace sluice::supervisor
