// What one caller may, and what it has: its key's limits, how much of them is left, and its generations that live. The
// account of those who need no key has none of the limits. Pure: time comes in. Refuses to know other callers and what
// the server has room for. Thread: core. Lifetime: its key's, and as long as a generation of it lives.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "admission/bucket.h"
#include "base/error.h"
#include "config/api_key.h"

namespace sluice::admission {

class Account final {
 public:
  Account(uint32_t number, config::ApiKey key, TimePoint now);
  void change(config::ApiKey key, TimePoint now);  // its file was read again

  uint32_t number() const { return number_; }  // never given to another key; 0: of those who need none
  const config::ApiKey& key() const { return key_; }
  const std::string& label() const { return key_.name; }
  uint32_t live() const;
  uint32_t live(Class cls) const { return live_[static_cast<size_t>(cls)]; }

  // Error: rate_limit_requests, rate_limit_tokens, concurrency_limit; invalid where it may never have so many.
  Result<void> may_begin(uint32_t generations, TimePoint now) const;
  Result<void> may_spend(TimePoint now) const;  // Error: rate_limit_tokens
  void begin(Class cls, uint32_t generations, TimePoint now);
  void end(Class cls, uint32_t generations);
  void spend(uint64_t tokens, TimePoint now);
  void give_back(uint64_t tokens, TimePoint spent, TimePoint now);  // unless the limit is younger

 private:
  Result<void> check_concurrency(uint32_t generations) const;
  Result<void> check_requests(TimePoint now) const;

  const uint32_t number_;
  config::ApiKey key_;
  std::optional<Bucket> requests_, tokens_;  // per minute
  TimePoint tokens_since_;                   // there is a limit of these, if any
  std::array<uint32_t, std::size(kClasses)> live_{};
};

using AccountPtr = std::shared_ptr<Account>;

}  // namespace sluice::admission
