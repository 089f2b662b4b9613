// The window of one generation for this model on this machine, and what is said about it. The arithmetic is gguf's;
// which memory may be taken is decided here. Pure: memory is an argument. Thread: any.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "codec/codec.h"
#include "config/options.h"
#include "gguf/memory_plan.h"

namespace sluice::daemon {

// Error: invalid; `field` names the option to change.
Result<gguf::WindowChoice> plan_window(const VocabularyFacts& facts, const config::ServeOptions& options,
                                       uint64_t memory_available);

// Worth telling: memory cut the window, or it goes beyond the training. Empty where nothing is.
std::string window_notice(const gguf::WindowChoice& choice, const VocabularyFacts& facts,
                          const config::ServeOptions& options, uint64_t memory_available);

}  // namespace sluice::daemon
