// The flags that bound who waits: how many, and how long. Refuses to know who is refused. Thread: any.
#pragma once

#include <optional>

#include "config/flags.h"
#include "config/queue_limits.h"

namespace sluice::config {

// `key_queue` is what --key-queue said: its default depends on other flags.
void declare_queue(Flags& flags, QueueLimits& queue, std::optional<uint32_t>& key_queue);

}  // namespace sluice::config
