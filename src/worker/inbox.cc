#include "worker/inbox.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"

namespace sluice::worker {
namespace {

// An acknowledgement covers those before it, so that any number of them takes one place.
bool merge_acks(std::vector<Letter>& letters, const Letter& letter) {
  const auto* ack = std::get_if<AckLetter>(&letter);
  auto* last = letters.empty() ? nullptr : std::get_if<AckLetter>(&letters.back());
  if (!ack || !last) return false;
  last->step = std::max(last->step, ack->step);
  return true;
}

// A generation that is cancelled before the step thread has seen it takes no place: clients that keep coming and
// leaving during one step do not fill the inbox.
bool takes_submission_back(std::vector<Letter>& letters, const Letter& letter) {
  const auto* cancel = std::get_if<CancelLetter>(&letter);
  if (!cancel) return false;
  const auto submission = std::ranges::find_if(letters, [cancel](const Letter& earlier) {
    const auto* submitted = std::get_if<proto::Submission>(&earlier);
    return submitted && submitted->id == cancel->generation;
  });
  if (submission == letters.end()) return false;
  letters.erase(submission);
  return true;
}

}  // namespace

Result<void> Inbox::put(Letter letter) {
  {
    const std::lock_guard lock(mutex_);
    if (merge_acks(letters_, letter) || takes_submission_back(letters_, letter)) return {};
    if (letters_.size() >= limits::inbox_letters_max) {
      return fail(ErrorCode::protocol, "more frames than a daemon may send between two steps");
    }
    letters_.push_back(std::move(letter));
  }
  changed_.notify_one();
  return {};
}

void Inbox::end(Ending ending) {
  {
    const std::lock_guard lock(mutex_);
    if (!ending_) ending_ = std::move(ending);
  }
  changed_.notify_one();
}

Delivery Inbox::take() {
  const std::lock_guard lock(mutex_);
  return take_locked();
}

Delivery Inbox::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ending_ || !letters_.empty(); });
  return take_locked();
}

bool Inbox::ended() const {
  const std::lock_guard lock(mutex_);
  return ending_.has_value();
}

Delivery Inbox::take_locked() {
  if (ending_) return {{}, ending_};
  return {std::exchange(letters_, {}), std::nullopt};
}

}  // namespace sluice::worker
