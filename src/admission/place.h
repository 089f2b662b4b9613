// The room that one request has: so many generations of one class and one caller. It gives back what it still holds
// when it goes, so that no way to end can forget it. Refuses to know who decided. Thread: core. Lifetime: the
// request's.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "admission/account.h"

namespace sluice::admission {

// Generations that were let in and have not ended, of all callers.
struct Live {
  std::array<uint32_t, std::size(kClasses)> by_class{};
  uint32_t total = 0;
};

class Place final {
 public:
  Place() = default;  // of nobody
  Place(std::shared_ptr<Live> live, AccountPtr account, Class cls, uint32_t generations, TimePoint now);
  ~Place() { leave(generations_); }
  Place(Place&& other) noexcept;
  Place& operator=(Place&& other) noexcept;

  void leave(uint32_t generations);  // so many have ended
  // The prompt of one or more of its generations, once it is known how long it is. Error: rate_limit_tokens, and
  // nothing is counted. Once its first is let in, all of a request are, and owed together.
  Result<void> spend_prompt(uint64_t tokens, TimePoint now);
  void give_back_prompts(TimePoint now);  // nothing came of them
  void spend_answer(uint64_t tokens, TimePoint now);
  uint32_t key() const { return account_ ? account_->number() : 0; }

 private:
  std::shared_ptr<Live> live_;
  AccountPtr account_;
  Class cls_ = Class::agent;
  uint32_t generations_ = 0;
  uint64_t prompt_tokens_ = 0;  // spent
  TimePoint spent_at_;          // the first of these
};

}  // namespace sluice::admission
