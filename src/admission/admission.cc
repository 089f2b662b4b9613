#include "admission/admission.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::admission {
namespace {

// One bound on how many may live: by whom it is counted, and which flag sets it.
struct Bound {
  uint32_t live = 0;
  uint32_t most = 0;
  std::string whose;  // "answers", "answers of class agent"
  const char* flag = "";
  ErrorCode code = ErrorCode::queue_full;
};

Result<void> check(const Bound& bound, uint32_t generations) {
  if (bound.live + generations <= bound.most) return {};
  if (generations > bound.most) {
    return fail(ErrorCode::invalid, fmt::format("{} answers are asked for, and {} lets in {} {} at most", generations,
                                                bound.flag, bound.most, bound.whose));
  }
  return fail(bound.code, fmt::format("{} {} wait or run, and {} lets in {}; try again later", bound.live, bound.whose,
                                      bound.flag, bound.most));
}

}  // namespace

Admission::Admission(config::QueueLimits limits, std::vector<config::ApiKey> keys, TimePoint now)
    : limits_(limits), nobody_(std::make_shared<Account>(0, config::ApiKey{}, now)) {
  replace_keys(std::move(keys), now);
}

AccountPtr Admission::account_of(std::string_view presented) const {
  const Sha256 hash = sha256(presented);
  AccountPtr found;
  for (const AccountPtr& account : accounts_) {
    if (same_in_constant_time(account->key().hash, hash)) found = account;
  }
  return found;
}

AccountPtr Admission::account_named(const std::string& name) const {
  const auto found = std::ranges::find_if(accounts_, [&](const AccountPtr& one) { return one->label() == name; });
  return found == accounts_.end() ? nullptr : *found;
}

void Admission::replace_keys(std::vector<config::ApiKey> keys, TimePoint now) {
  std::vector<AccountPtr> next;
  for (config::ApiKey& key : keys) {
    AccountPtr account = account_named(key.name);
    if (account) {
      account->change(std::move(key), now);
    } else {
      account = std::make_shared<Account>(++last_number_, std::move(key), now);
    }
    next.push_back(std::move(account));
  }
  for (const AccountPtr& old : accounts_) {
    if (std::ranges::find(next, old) == next.end()) former_.push_back(old);
  }
  std::erase_if(former_, [](const AccountPtr& old) { return old->live() == 0; });
  accounts_ = std::move(next);
}

Result<Place> Admission::admit(const AccountPtr& account, Class cls, uint32_t generations, TimePoint now) {
  if (auto may = account->may_begin(generations, now); !may) return std::unexpected(std::move(may.error()));
  if (auto room = check_room(*account, cls, generations); !room) return std::unexpected(std::move(room.error()));
  return Place(live_, account, cls, generations, now);
}

Result<void> Admission::check_room(const Account& account, Class cls, uint32_t generations) const {
  if (account.number() != 0) {
    const Bound of_key{account.live(), limits_.by_key, fmt::format("answers of the key {}", account.label()),
                       "--key-queue", ErrorCode::key_queue_full};
    if (auto room = check(of_key, generations); !room) return room;
  }
  const auto index = static_cast<size_t>(cls);
  if (const auto& most = limits_.by_class[index]) {
    const Bound of_class{live_->by_class[index], *most, fmt::format("answers of class {}", name_of(cls)),
                         "--class-queue"};
    if (auto room = check(of_class, generations); !room) return room;
  }
  return check({live_->total, limits_.total, "answers", "--queue-max"}, generations);
}

std::vector<AccountPtr> Admission::accounts_with_live() {
  std::erase_if(former_, [](const AccountPtr& one) { return one->live() == 0; });
  std::vector<AccountPtr> found;
  const auto add = [&found](const AccountPtr& one) {
    if (one->live() > 0) found.push_back(one);
  };
  add(nobody_);
  std::ranges::for_each(accounts_, add);
  std::ranges::for_each(former_, add);
  return found;
}

}  // namespace sluice::admission
