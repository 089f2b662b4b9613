#include "config/by_class.h"

#include "config/check.h"
#include "config/take.h"

namespace sluice::config {

Result<void> by_class(const std::string& comma_separated, const ClassNumber& number,
                      const std::function<void(Class, uint32_t)>& set) {
  return for_each_word(comma_separated, [&](const std::string& word) -> Result<void> {
    const size_t equals = word.find('=');
    if (equals == std::string::npos) {
      return fail(ErrorCode::invalid, fmt::format("'{}' is not possible; {} would be", word, number.example));
    }
    const Result<Class> cls = class_of(word.substr(0, equals));
    if (!cls) return std::unexpected(cls.error());
    const auto value = number_in<uint32_t>(word.substr(equals + 1), number.min, number.max, number.what);
    if (!value) return std::unexpected(value.error());
    set(*cls, *value);
    return {};
  });
}

}  // namespace sluice::config
