#include "adapters/fake/vocabulary.h"

#include <algorithm>

namespace sluice::fake {

std::string_view control_text(Token token) {
  return token >= kFirstControl && token < kFirstSpare ? kControlTexts[token - kFirstControl] : std::string_view();
}

std::optional<Token> control_named(std::string_view text) {
  const auto found = std::find(kControlTexts.begin(), kControlTexts.end(), text);
  if (found == kControlTexts.end()) return std::nullopt;
  return kFirstControl + static_cast<Token>(found - kControlTexts.begin());
}

ByteTokens::ByteTokens(uint32_t vocabulary) : vocabulary_(vocabulary) {
  for (size_t i = 0; i < bytes_.size(); ++i) bytes_[i] = static_cast<char>(i);
}

std::string_view ByteTokens::bytes_of(Token token) const {
  if (token < 0 || token >= kFirstControl) return {};
  return {&bytes_[static_cast<size_t>(token)], 1};
}

}  // namespace sluice::fake
