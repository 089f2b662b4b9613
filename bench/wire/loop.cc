#include "bench/wire/loop.h"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <list>
#include <utility>

#include "base/limits.h"
#include "bench/wire/framing.h"

namespace sluice::bench {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

using Scratch = std::array<char, 256u << 10>;  // shared: whoever reads has processed it before the next one reads

// One request and its answer; kept alive by the handlers it waits for.
class Call final : public std::enable_shared_from_this<Call> {
 public:
  Call(boost::asio::io_context& io, Scratch& scratch, std::string request, Room room, Duration silence_max,
       Loop::OnEnd on_end)
      : socket_(io),
        silence_(io),
        scratch_(scratch),
        request_(std::move(request)),
        silence_max_(silence_max),
        on_end_(std::move(on_end)) {
    recording_.body.reserve(room.body_bytes);
    recording_.marks.reserve(room.marks);
  }

  void start(const tcp::endpoint& endpoint) {
    recording_.sent = heard_ = Clock::now();
    watch_silence();
    socket_.async_connect(endpoint, [self = shared_from_this()](const error_code& ec) { self->on_connected(ec); });
  }

 private:
  void on_connected(const error_code& ec) {
    if (done_) return;
    if (ec) return finish(WireEnd::unreachable, ec.message());
    error_code ignored;
    socket_.set_option(tcp::no_delay(true), ignored);
    socket_.non_blocking(true, ignored);
    boost::asio::async_write(socket_, boost::asio::buffer(request_),
                             [self = shared_from_this()](const error_code&, size_t) {
                               // A server that refuses may not read all; what it says is still to be read.
                             });
    await_bytes();
  }

  void await_bytes() {
    socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](const error_code& ec) {
      if (ec) return self->finish(WireEnd::reset, ec.message());
      self->read();
    });
  }

  void read() {
    if (done_) return;
    error_code ec;
    const size_t count = socket_.read_some(boost::asio::buffer(scratch_), ec);
    heard_ = Clock::now();
    if (ec == boost::asio::error::would_block) return await_bytes();
    if (ec == boost::asio::error::eof) return on_close();
    if (ec) return finish(WireEnd::reset, ec.message());
    const size_t had = recording_.body.size();
    const FramingState state = framing_.feed({scratch_.data(), count}, recording_.body);
    if (recording_.body.size() > limits::bench_answer_bytes_max ||
        heard_ - recording_.sent > limits::bench_answer_time_max) {
      return finish(WireEnd::endless, {});
    }
    if (recording_.body.size() > had) {
      recording_.marks.push_back({heard_, static_cast<uint32_t>(recording_.body.size())});
    }
    if (state == FramingState::whole) return finish(WireEnd::whole, {});
    if (state == FramingState::broken) return finish(WireEnd::not_http, {});
    await_bytes();
  }

  void on_close() {
    if (framing_.on_close() == FramingState::whole) return finish(WireEnd::whole, {});
    finish(framing_.status() == 0 ? WireEnd::reset : WireEnd::cut, "the server closed the connection");
  }

  // The timer is set again when it fires, not with every read.
  void watch_silence() {
    silence_.expires_at(heard_ + silence_max_);
    silence_.async_wait([self = shared_from_this()](const error_code& ec) {
      if (ec || self->done_) return;
      if (Clock::now() - self->heard_ >= self->silence_max_) return self->finish(WireEnd::silent, {});
      self->watch_silence();
    });
  }

  void finish(WireEnd end, std::string why) {
    if (std::exchange(done_, true)) return;
    recording_.ended = end == WireEnd::whole ? heard_ : Clock::now();
    recording_.end = end;
    recording_.why = std::move(why);
    recording_.status = framing_.status();
    recording_.until_close = framing_.ends_with_connection();
    silence_.cancel();
    error_code ignored;
    socket_.close(ignored);
    std::exchange(on_end_, {})(std::move(recording_));
  }

  tcp::socket socket_;
  boost::asio::steady_timer silence_;
  Scratch& scratch_;
  std::string request_;
  Duration silence_max_;
  Loop::OnEnd on_end_;
  ResponseFraming framing_;
  Recording recording_;
  TimePoint heard_;
  bool done_ = false;
};

}  // namespace

class Loop::Impl final {
 public:
  boost::asio::io_context io{1};
  Scratch scratch;
  // A timer that was due when its action was cancelled still calls back: whether the action is meant is said here.
  struct Action {
    explicit Action(boost::asio::io_context& context, TimePoint when) : timer(context, when) {}
    boost::asio::steady_timer timer;
    bool cancelled = false;
  };
  std::list<std::shared_ptr<Action>> actions;  // shared with the handlers they wait for
};

Loop::Loop() : impl_(std::make_unique<Impl>()) {}
Loop::~Loop() = default;

void Loop::send(const Address& address, std::string request, Room room, Duration silence_max, OnEnd on_end) {
  std::make_shared<Call>(impl_->io, impl_->scratch, std::move(request), room, silence_max, std::move(on_end))
      ->start(address.endpoint);
}

void Loop::at(TimePoint when, std::move_only_function<void()> run) {
  const auto action = impl_->actions.emplace_back(std::make_shared<Impl::Action>(impl_->io, when));
  action->timer.async_wait([this, action, run = std::move(run)](const error_code& ec) mutable {
    if (ec || action->cancelled) return;
    impl_->actions.remove(action);
    run();
  });
}

void Loop::run() {
  impl_->io.restart();
  impl_->io.run();
}

void Loop::cancel_actions() {
  for (const auto& action : std::exchange(impl_->actions, {})) {
    action->cancelled = true;
    action->timer.cancel();
  }
}

}  // namespace sluice::bench
