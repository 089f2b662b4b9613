// Who may ask: which key a request presents, and whether it is one of ours. Comparing takes the same time for every
// key and every wrong guess of the same length. Refuses to know headers' carriers, routes and what is asked.
// Thread: core. Lifetime: the daemon's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::admission {

// The key in `Authorization: Bearer KEY`, else the one in `X-Api-Key`. Views into the arguments.
std::optional<std::string_view> presented_key(std::optional<std::string_view> authorization,
                                              std::optional<std::string_view> x_api_key);

class KeyRing final {
 public:
  explicit KeyRing(std::vector<std::string> keys);  // none: nobody needs one

  bool required() const { return !keys_.empty(); }
  // How logs and metrics call this key ("key1" is the first one given): never a part of the key itself.
  std::optional<std::string> label_of(std::string_view presented) const;

 private:
  std::vector<std::string> keys_;
};

}  // namespace sluice::admission
