// Small models with random weights, one for each kind of memory the library has: they load in milliseconds, compute the
// same each time and mean nothing. For tests. Refuses to know what is tested. Thread: any.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::llamacpp {

enum class TinyKind : uint8_t {
  llama,   // plain attention
  gemma3,  // every second layer attends to a window of 64 tokens
  mamba,   // recurrent
  lfm2,    // convolutions with a state beside attention
};

inline constexpr uint32_t kTinyVocabulary = 320;

// Writes the model beside the other temporary files of this process, once, and gives its path.
std::string tiny_model(TinyKind kind);

}  // namespace sluice::llamacpp
