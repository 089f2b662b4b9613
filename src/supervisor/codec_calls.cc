#include "supervisor/codec_calls.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "base/check.h"
#include "base/limits.h"

namespace sluice::supervisor {
namespace {
constexpr int kDeathsMax = 2;
constexpr size_t kCallNumberBytes = 16;  // what setting `call` may add at most, generously
}  // namespace

Result<void> CodecCalls::add(CodecCall& call) {
  call.bytes = call.message.ByteSizeLong() + kCallNumberBytes;
  if (call.bytes > limits::frame_bytes_max) {
    return fail(ErrorCode::too_large,
                fmt::format("a prompt of {} bytes, where {} are possible", call.bytes, limits::frame_bytes_max));
  }
  if (calls_.size() >= limits::codec_calls_max || bytes_ + call.bytes > limits::codec_calls_bytes_max) {
    return fail(ErrorCode::overloaded, "too many prompts wait to be tokenized; try again later");
  }
  bytes_ += call.bytes;
  calls_.push_back(std::move(call));
  return {};
}

CodecCall CodecCalls::take_first() {
  CHECK(!calls_.empty());
  CodecCall call = std::move(calls_.front());
  calls_.pop_front();
  bytes_ -= call.bytes;
  if (sent_ > 0) --sent_;
  return call;
}

std::optional<CodecCall> CodecCalls::on_lost() {
  std::optional<CodecCall> failed;
  if (first_is_sent() && ++first().deaths >= kDeathsMax) failed = take_first();
  sent_ = 0;
  return failed;
}

std::vector<CodecCall> CodecCalls::take_all() {
  std::vector<CodecCall> all(std::make_move_iterator(calls_.begin()), std::make_move_iterator(calls_.end()));
  calls_.clear();
  sent_ = 0;
  bytes_ = 0;
  return all;
}

}  // namespace sluice::supervisor
