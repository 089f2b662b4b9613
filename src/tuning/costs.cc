#include "tuning/costs.h"

#include <fmt/format.h>

#include "base/check.h"
#include "base/fnv.h"

namespace sluice::tuning {
namespace {

std::string word_of(FlashAttention flash_attention) {
  switch (flash_attention) {
    case FlashAttention::automatic: return "auto";
    case FlashAttention::on: return "on";
    case FlashAttention::off: return "off";
  }
  UNREACHABLE();
}

}  // namespace

CostKey cost_key_of(Key key, const LoadOptions& load) {
  return {std::move(key), word_of(load.flash_attention), load.threads, load.batch, load.ubatch};
}

std::string cost_file_name(const CostKey& key) {
  const std::string settings = fmt::format("\n{}\n{}\n{}\n{}", key.flash_attention, key.threads, key.batch, key.ubatch);
  return hex16(fnv1a(settings, hash_of(key.of))) + ".costs";
}

}  // namespace sluice::tuning
