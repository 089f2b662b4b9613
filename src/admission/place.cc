#include "admission/place.h"

#include <utility>

#include "base/check.h"

namespace sluice::admission {

Place::Place(std::shared_ptr<Live> live, AccountPtr account, Class cls, uint32_t generations, TimePoint now)
    : live_(std::move(live)), account_(std::move(account)), cls_(cls), generations_(generations) {
  live_->total += generations;
  live_->by_class[static_cast<size_t>(cls)] += generations;
  account_->begin(cls, generations, now);
}

Place::Place(Place&& other) noexcept
    : live_(std::move(other.live_)),
      account_(std::move(other.account_)),
      cls_(other.cls_),
      generations_(std::exchange(other.generations_, 0)),
      prompt_tokens_(std::exchange(other.prompt_tokens_, 0)),
      spent_at_(other.spent_at_) {}

Place& Place::operator=(Place&& other) noexcept {
  if (this == &other) return *this;
  leave(generations_);
  live_ = std::move(other.live_);
  account_ = std::move(other.account_);
  cls_ = other.cls_;
  generations_ = std::exchange(other.generations_, 0);
  prompt_tokens_ = std::exchange(other.prompt_tokens_, 0);
  spent_at_ = other.spent_at_;
  return *this;
}

void Place::leave(uint32_t generations) {
  CHECK(generations <= generations_);
  if (generations == 0) return;
  generations_ -= generations;
  live_->total -= generations;
  live_->by_class[static_cast<size_t>(cls_)] -= generations;
  account_->end(cls_, generations);
}

Result<void> Place::spend_prompt(uint64_t tokens, TimePoint now) {
  if (!account_) return {};
  if (prompt_tokens_ == 0) {  // else what refuses it may be its own first prompts, however often it comes
    if (auto may = account_->may_spend(now); !may) return may;
    spent_at_ = now;
  }
  account_->spend(tokens, now);
  prompt_tokens_ += tokens;
  return {};
}

void Place::give_back_prompts(TimePoint now) {
  if (account_) account_->give_back(std::exchange(prompt_tokens_, 0), spent_at_, now);
}

void Place::spend_answer(uint64_t tokens, TimePoint now) {
  if (account_) account_->spend(tokens, now);
}

}  // namespace sluice::admission
