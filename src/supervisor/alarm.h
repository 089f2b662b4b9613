// One callback at one time to come. It is never called after cancel(), after another after(), or after this object's
// end, whatever the loop has queued already. Thread: core. Lifetime: its owner's, within the loop's.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <utility>

#include "base/time.h"

namespace sluice::supervisor {

class Alarm final {
 public:
  explicit Alarm(boost::asio::io_context& core) : timer_(core) {}
  ~Alarm() { cancel(); }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  void after(Duration delay, std::function<void()> due) {
    cancel();
    armed_ = std::make_shared<bool>(true);
    timer_.expires_after(delay);
    timer_.async_wait([armed = armed_, due = std::move(due)](const boost::system::error_code& error) {
      if (!error && std::exchange(*armed, false)) due();
    });
  }

  void cancel() {
    if (!armed_) return;
    *armed_ = false;
    armed_.reset();
    timer_.cancel();
  }

 private:
  boost::asio::steady_timer timer_;
  std::shared_ptr<bool> armed_;  // with the handler the loop holds: these two own it
};

}  // namespace sluice::supervisor
