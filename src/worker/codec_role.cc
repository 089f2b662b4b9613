#include "worker/codec_role.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <optional>

#include "proto/convert.h"
#include "proto/framing.h"
#include "worker/codec_calls.h"
#include "worker/exit_codes.h"
#include "worker/hello.h"

namespace sluice::worker {
namespace {

constexpr size_t kCallReadBytes = 64u << 10;

// Whole frames over a blocking socket.
class Channel final {
 public:
  explicit Channel(int socket) : socket_(socket) {}
  ~Channel() { ::close(socket_); }
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  // Absent: the daemon is gone.
  Result<std::optional<proto::ToCodec>> read() {
    for (;;) {
      const auto next = reader_.next();
      if (!next) return std::unexpected(next.error());
      if (next->has) return parse(next->body);
      if (!read_some()) return std::nullopt;
    }
  }

  // false: the daemon is gone.
  bool write(const proto::FromCodec& message) {
    frame_.clear();
    if (auto framed = proto::append_frame(message, frame_); !framed) return write_failure(message, framed.error());
    return write_frame();
  }

 private:
  static Result<std::optional<proto::ToCodec>> parse(std::string_view body) {
    proto::ToCodec message;
    if (message.ParseFromArray(body.data(), static_cast<int>(body.size()))) return message;
    return fail(ErrorCode::protocol, "a frame is not a message of this protocol");
  }

  bool read_some() {
    char bytes[kCallReadBytes];
    ssize_t got = 0;
    do got = ::recv(socket_, bytes, sizeof bytes, 0);
    while (got < 0 && errno == EINTR);
    if (got <= 0) return false;
    reader_.feed({bytes, static_cast<size_t>(got)});
    return true;
  }

  bool write_failure(const proto::FromCodec& message, const Error& error) {
    proto::FromCodec failure;
    failure.set_call(message.call());
    *failure.mutable_failure() = proto::to_message(error);
    return write(failure);
  }

  bool write_frame() {
    size_t done = 0;
    while (done < frame_.size()) {
      const ssize_t wrote = ::send(socket_, frame_.data() + done, frame_.size() - done, MSG_NOSIGNAL);
      if (wrote < 0 && errno != EINTR) return false;
      if (wrote > 0) done += static_cast<size_t>(wrote);
    }
    return true;
  }

  const int socket_;
  proto::FrameReader reader_;
  std::string frame_;  // reused
};

int protocol_error(const Error& error) {
  std::fprintf(stderr, "codec: protocol error: %s\n", error.message.c_str());
  return kExitProtocol;
}

}  // namespace

int run_codec(int socket, const Adapter& adapter) {
  Channel channel(socket);
  proto::FromCodec hello;
  *hello.mutable_hello() = hello_message(adapter, "codec");
  if (!channel.write(hello)) return kExitEnded;
  CodecCalls calls(adapter);
  for (;;) {
    auto asked = channel.read();
    if (!asked) return protocol_error(asked.error());
    if (!*asked) return kExitEnded;
    auto answer = calls.answer(**asked);
    if (!answer) return protocol_error(answer.error());
    if (!channel.write(*answer)) return kExitEnded;
  }
}

}  // namespace sluice::worker
