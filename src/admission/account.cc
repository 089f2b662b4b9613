#include "admission/account.h"

#include <fmt/format.h>

#include <numeric>

#include "base/check.h"

namespace sluice::admission {
namespace {

void change(std::optional<Bucket>& bucket, std::optional<uint32_t> per_minute, TimePoint now) {
  if (!per_minute) {
    bucket.reset();
  } else if (bucket) {
    bucket->change(*per_minute, now);
  } else {
    bucket.emplace(*per_minute, now);
  }
}

std::unexpected<Error> over(ErrorCode code, std::string message, std::chrono::seconds wait) {
  return std::unexpected(Error{code, std::move(message), {}, wait});
}

}  // namespace

Account::Account(uint32_t number, config::ApiKey key, TimePoint now) : number_(number) { change(std::move(key), now); }

void Account::change(config::ApiKey key, TimePoint now) {
  key_ = std::move(key);
  admission::change(requests_, key_.requests_per_minute, now);
  if (!tokens_) tokens_since_ = now;
  admission::change(tokens_, key_.tokens_per_minute, now);
}

uint32_t Account::live() const { return std::accumulate(live_.begin(), live_.end(), 0u); }

Result<void> Account::may_begin(uint32_t generations, TimePoint now) const {
  if (auto checked = check_concurrency(generations); !checked) return checked;
  if (auto checked = check_requests(now); !checked) return checked;
  return may_spend(now);
}

Result<void> Account::check_concurrency(uint32_t generations) const {
  if (!key_.concurrency || live() + generations <= *key_.concurrency) return {};
  if (generations > *key_.concurrency) {
    return fail(ErrorCode::invalid,
                fmt::format("{} answers are asked for, and the key {} may have {} at once", generations, label(),
                            *key_.concurrency),
                "n");
  }
  return over(ErrorCode::concurrency_limit,
              fmt::format("the key {} has {} answers that wait or run, and may have {} at once; wait for one to end",
                          label(), live(), *key_.concurrency),
              {});
}

Result<void> Account::check_requests(TimePoint now) const {
  const auto wait = requests_ ? requests_->wait(now) : std::chrono::seconds{};
  if (wait == std::chrono::seconds{}) return {};
  return over(ErrorCode::rate_limit_requests,
              fmt::format("the key {} may send {} requests a minute; the next one in {} s", label(),
                          *key_.requests_per_minute, wait.count()),
              wait);
}

Result<void> Account::may_spend(TimePoint now) const {
  const auto wait = tokens_ ? tokens_->wait(now) : std::chrono::seconds{};
  if (wait == std::chrono::seconds{}) return {};
  return over(ErrorCode::rate_limit_tokens,
              fmt::format("the key {} may use {} tokens a minute, prompts and answers together; more in {} s", label(),
                          *key_.tokens_per_minute, wait.count()),
              wait);
}

void Account::begin(Class cls, uint32_t generations, TimePoint now) {
  live_[static_cast<size_t>(cls)] += generations;
  if (requests_) requests_->take(1, now);
}

void Account::end(Class cls, uint32_t generations) {
  CHECK(live(cls) >= generations);
  live_[static_cast<size_t>(cls)] -= generations;
}

void Account::spend(uint64_t tokens, TimePoint now) {
  if (tokens_) tokens_->take(static_cast<double>(tokens), now);
}

void Account::give_back(uint64_t tokens, TimePoint spent, TimePoint now) {
  if (tokens_ && spent >= tokens_since_) tokens_->give_back(static_cast<double>(tokens), now);
}

}  // namespace sluice::admission
