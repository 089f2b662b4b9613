#include "supervisor/order_queue.h"

#include <fmt/format.h>

#include <utility>

#include "base/check.h"
#include "base/limits.h"

namespace sluice::supervisor {

OrderQueue::OrderQueue(ProcessKeeper& keeper) : keeper_(keeper) {}

Result<void> OrderQueue::submit(proto::ToWorker message) {
  const size_t bytes = message.ByteSizeLong();
  if (bytes > limits::frame_bytes_max) {
    return fail(ErrorCode::too_large,
                fmt::format("a generation of {} bytes, where {} are possible", bytes, limits::frame_bytes_max));
  }
  add(std::move(message));
  return {};
}

// A Submit that has not been sent is taken back instead.
void OrderQueue::cancel(GenerationId id) {
  const size_t taken_back = std::erase_if(unsent_, [id](const proto::ToWorker& message) {
    return message.has_submit() && message.submit().generation() == id.raw;
  });
  if (taken_back > 0) return;
  proto::ToWorker message;
  message.mutable_cancel()->set_generation(id.raw);
  add(std::move(message));
}

void OrderQueue::drain() {
  proto::ToWorker message;
  message.mutable_drain();
  add(std::move(message));
}

void OrderQueue::add(proto::ToWorker message) {
  unsent_.push_back(std::move(message));
  on_room();
}

void OrderQueue::on_room() {
  while (!unsent_.empty() && keeper_.has_room(unsent_.front().ByteSizeLong())) {
    const auto sent = keeper_.send(unsent_.front());
    CHECK(sent);  // submit() takes only what fits a frame
    unsent_.pop_front();
  }
}

void OrderQueue::clear() { unsent_.clear(); }

}  // namespace sluice::supervisor
