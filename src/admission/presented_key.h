// Which key a request presents. Refuses to know headers' carriers and whose key it is. Thread: any.
#pragma once

#include <optional>
#include <string_view>

namespace sluice::admission {

// The key in `Authorization: Bearer KEY`, else the one in `X-Api-Key`. Views into the arguments.
std::optional<std::string_view> presented_key(std::optional<std::string_view> authorization,
                                              std::optional<std::string_view> x_api_key);

}  // namespace sluice::admission
