// Length-prefixed frames on a byte stream: 4 bytes little-endian length, then that many bytes of one protobuf message.
// Refuses to know sockets and what the messages mean. Thread: any one at a time. A frame over limits::frame_bytes_max
// is a protocol error before its body is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace google::protobuf {
class MessageLite;
}

namespace sluice::proto {

inline constexpr uint32_t kProtocolVersion = 3;
inline constexpr int kChildSocket = 3;  // the one descriptor a child inherits besides 0, 1, 2
inline constexpr size_t kFrameHeaderBytes = 4;

// Appends the frame of `message` to `out`. Error: too_large.
Result<void> append_frame(const google::protobuf::MessageLite& message, std::string& out);

// Cuts a byte stream into frames. Feed what was read; take frames until there is none.
class FrameReader {
 public:
  void feed(std::string_view bytes);
  // The body of the next whole frame, valid until the next feed(); `has` is false while there is none. A frame without
  // body is whole: whether an empty message is one is the caller's to judge.
  struct Next {
    bool has = false;
    std::string_view body;
  };
  Result<Next> next();  // Error: protocol (a length over the limit); the stream is useless afterwards
  size_t buffered_bytes() const { return buffer_.size() - start_; }

 private:
  void drop_taken();

  std::string buffer_;
  size_t start_ = 0;  // bytes of buffer_ already given out
};

}  // namespace sluice::proto
