#include "proto/framing.h"

#include <google/protobuf/message_lite.h>

#include <string>

#include "base/limits.h"

namespace sluice::proto {
namespace {

// One large frame must not hold its memory for the stream's life.
constexpr size_t kKeptCapacityBytes = 1u << 20;

void write_length(uint32_t length, char* out) {
  for (size_t i = 0; i < kFrameHeaderBytes; ++i) out[i] = static_cast<char>(length >> (8 * i));
}

uint32_t read_length(std::string_view header) {
  uint32_t length = 0;
  for (size_t i = 0; i < kFrameHeaderBytes; ++i) {
    length |= static_cast<uint32_t>(static_cast<uint8_t>(header[i])) << (8 * i);
  }
  return length;
}

}  // namespace

Result<void> append_frame(const google::protobuf::MessageLite& message, std::string& out) {
  const size_t bytes = message.ByteSizeLong();
  if (bytes > limits::frame_bytes_max) {
    return fail(ErrorCode::too_large, "a frame of " + std::to_string(bytes) + " bytes is over the limit of " +
                                          std::to_string(limits::frame_bytes_max));
  }
  const size_t at = out.size();
  out.resize(at + kFrameHeaderBytes + bytes);
  write_length(static_cast<uint32_t>(bytes), out.data() + at);
  message.SerializeWithCachedSizesToArray(reinterpret_cast<uint8_t*>(out.data() + at + kFrameHeaderBytes));
  return {};
}

void FrameReader::feed(std::string_view bytes) {
  drop_taken();
  buffer_ += bytes;
}

// Moves the rest to the front only when at least as much has been given out, so that every byte moves once on average.
void FrameReader::drop_taken() {
  if (start_ < buffer_.size() - start_) return;
  buffer_.erase(0, start_);
  start_ = 0;
  if (buffer_.empty() && buffer_.capacity() > kKeptCapacityBytes) buffer_.shrink_to_fit();
}

Result<FrameReader::Next> FrameReader::next() {
  const std::string_view rest = std::string_view(buffer_).substr(start_);
  if (rest.size() < kFrameHeaderBytes) return Next{};
  const uint32_t length = read_length(rest);
  if (length > limits::frame_bytes_max) {
    return fail(ErrorCode::protocol, "the peer announced a frame of " + std::to_string(length) +
                                         " bytes, over the limit of " + std::to_string(limits::frame_bytes_max));
  }
  if (rest.size() < kFrameHeaderBytes + length) return Next{};
  start_ += kFrameHeaderBytes + length;
  return Next{true, rest.substr(kFrameHeaderBytes, length)};
}

}  // namespace sluice::proto
