// Posts callbacks to the loop on behalf of an object that may end, or may take back what it has posted, before they
// run. Thread: core.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstdint>
#include <memory>
#include <utility>

namespace sluice::supervisor {

template <class Owner>
class Postbox final {
 public:
  explicit Postbox(boost::asio::io_context& core) : core_(core) {}

  // Calls `call(owner)` from the loop, unless the owner ends or take_back() comes first.
  template <class Call>
  void post(const std::shared_ptr<Owner>& owner, Call call) {
    boost::asio::post(core_, [weak = std::weak_ptr(owner), epoch = epoch_, call = std::move(call), this]() mutable {
      if (const auto alive = weak.lock(); alive && epoch == epoch_) call(*alive);
    });
  }
  void take_back() { ++epoch_; }

 private:
  boost::asio::io_context& core_;
  uint64_t epoch_ = 0;
};

}  // namespace sluice::supervisor
