// Who may ask, and whether there is room: finds the account of a key, lets a request's generations in or says which
// limit refuses them. Decides only. Pure: no clock, no socket, no log; time comes in. Refuses to know headers, routes,
// prompts and how generations run. Thread: core. Lifetime: the daemon's; a Place may outlive it.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "admission/account.h"
#include "admission/place.h"
#include "config/queue_limits.h"

namespace sluice::admission {

class Admission final {
 public:
  // Without keys nobody needs one.
  Admission(config::QueueLimits limits, std::vector<config::ApiKey> keys, TimePoint now);

  bool key_required() const { return !accounts_.empty(); }
  const AccountPtr& nobody() const { return nobody_; }  // whose requests need no key
  // Null: it is no key of ours. As slow for every key and every wrong one.
  AccountPtr account_of(std::string_view presented) const;
  // A key keeps its account as long as it keeps its name. What lives of one that is gone goes on.
  void replace_keys(std::vector<config::ApiKey> keys, TimePoint now);

  // Error: what Account says; key_queue_full, queue_full; invalid where there is never room for so many.
  Result<Place> admit(const AccountPtr& account, Class cls, uint32_t generations, TimePoint now);

  std::vector<AccountPtr> accounts_with_live();  // for figures

 private:
  Result<void> check_room(const Account& account, Class cls, uint32_t generations) const;
  AccountPtr account_named(const std::string& name) const;

  const config::QueueLimits limits_;
  std::shared_ptr<Live> live_ = std::make_shared<Live>();
  AccountPtr nobody_;
  std::vector<AccountPtr> accounts_;  // of the keys that there are
  std::vector<AccountPtr> former_;    // of keys that are gone, while a generation lives
  uint32_t last_number_ = 0;
};

}  // namespace sluice::admission
