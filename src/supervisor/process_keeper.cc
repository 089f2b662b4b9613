#include "supervisor/process_keeper.h"

#include <fmt/format.h>

#include <utility>

#include "base/check.h"
#include "supervisor/hello.h"
#include "supervisor/words.h"

namespace sluice::supervisor {
namespace {

// The first line is for everybody, the lines of stderr after it for the log.
Error death_error(const std::string& role, const ChildProcess::Death& death) {
  std::string message = fmt::format("the {} process {}", role, death.how);
  if (!death.last_words.empty()) message += "\n" + death.last_words;
  return Error{ErrorCode::worker_lost, std::move(message), {}};
}

}  // namespace

ProcessKeeper::ProcessKeeper(boost::asio::io_context& core, Options options, Events events)
    : core_(core),
      options_(std::move(options)),
      events_(std::move(events)),
      backoff_(options_.timing.backoff),
      alarm_(core) {}

void ProcessKeeper::enter(ProcessState next) {
  CHECK(may_follow(state_, next));
  state_ = next;
  events_.on_state(next);
}

void ProcessKeeper::start() { begin(); }

void ProcessKeeper::begin() {
  enter(ProcessState::starting);
  ++counts_.starts;
  if (auto spawned = spawn(); !spawned) {
    const bool hopeless = spawned.error().code == ErrorCode::not_found && !was_ready_;
    return hopeless ? give_up(std::move(spawned.error())) : lose(std::move(spawned.error()));
  }
  alarm_.after(options_.timing.hello_max,
               [this] { replace("did not say Hello within " + seconds_of(options_.timing.hello_max)); });
}

Result<void> ProcessKeeper::spawn() {
  auto child = ChildProcess::start(
      core_, {options_.executable, {"--role", options_.role}, options_.timing.exit_max},
      {events_.on_frame, events_.on_room, [this](const auto& death) { on_death(death); }, options_.on_stderr_line});
  if (!child) return std::unexpected(std::move(child.error()));
  child_ = std::move(*child);
  return {};
}

void ProcessKeeper::on_hello(const proto::Hello& hello) {
  if (state_ != ProcessState::starting) return replace("said Hello twice");
  if (auto fits = check_hello(hello, options_.role, options_.expected_build); !fits) {
    return give_up(std::move(fits.error()));
  }
  enter(ProcessState::loading);
  alarm_.after(options_.load_max,
               [this] { replace("did not load its model within " + seconds_of(options_.load_max)); });
  events_.on_greeted();
}

void ProcessKeeper::on_loaded() {
  if (state_ != ProcessState::loading) return replace("said that it is ready when it was not loading");
  alarm_.cancel();
  was_ready_ = true;
  backoff_.on_ready(Clock::now());
  enter(ProcessState::ready);
}

// What was loaded once can be loaded again: the cause lies outside, and may pass.
void ProcessKeeper::on_load_failed(Error cause) {
  if (state_ != ProcessState::loading) return replace("said that loading failed when it was not loading");
  was_ready_ ? replace("could not load its model again: " + cause.message) : give_up(std::move(cause));
}

void ProcessKeeper::replace(std::string why) {
  alarm_.cancel();
  if (child_) child_->kill(std::move(why));
}

void ProcessKeeper::on_death(const ChildProcess::Death& death) {
  child_.reset();
  alarm_.cancel();
  if (state_ == ProcessState::draining && death.clean) return enter(ProcessState::stopped);
  ++counts_.deaths;
  lose(death_error(options_.role, death));
}

void ProcessKeeper::lose(Error death) {
  events_.on_lost(death);
  if (state_ == ProcessState::draining) return enter(ProcessState::stopped);
  if (!was_ready_ && ++deaths_before_ready_ >= limits::first_start_deaths_max) return give_up(std::move(death));
  back_off();
}

void ProcessKeeper::back_off() {
  enter(ProcessState::backing_off);
  alarm_.after(backoff_.on_death(Clock::now()), [this] { begin(); });
}

void ProcessKeeper::give_up(Error cause) {
  alarm_.cancel();
  child_.reset();
  failure_ = std::move(cause);
  enter(ProcessState::failed);
}

void ProcessKeeper::stop() {
  alarm_.cancel();
  child_.reset();
  if (state_ != ProcessState::stopped) enter(ProcessState::stopped);
}

Result<void> ProcessKeeper::send(const google::protobuf::MessageLite& message) {
  return child_ ? child_->send(message) : Result<void>{};
}

bool ProcessKeeper::has_room(size_t frame_bytes) const { return !child_ || child_->has_room(frame_bytes); }

void ProcessKeeper::expect_end() { enter(ProcessState::draining); }

int ProcessKeeper::pid() const { return child_ ? child_->pid() : 0; }

uint64_t ProcessKeeper::resident_bytes() const { return child_ ? child_->resident_bytes() : 0; }

}  // namespace sluice::supervisor
