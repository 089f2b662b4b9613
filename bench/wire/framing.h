// Cuts the bytes of an HTTP/1.1 response into head and body, however they were cut on the way. After the head it
// allocates nothing but what the body needs. Refuses to know sockets and what the body means. Thread: one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::bench {

enum class FramingState : uint8_t {
  head,    // the head is not there yet
  body,    // the head is, the body has begun
  whole,   // the body is complete; bytes after it are ignored
  broken,  // not HTTP/1.1, or over a limit
};

class ResponseFraming final {
 public:
  // Appends what these bytes hold of the body to `body`.
  FramingState feed(std::string_view bytes, std::string& body);
  // The connection was closed: whole, where the body was to end with it; else the state stays.
  FramingState on_close();

  FramingState state() const { return state_; }
  bool ends_with_connection() const { return status_ != 0 && !chunked_ && !counted_; }
  int status() const { return status_; }  // 0 before the head
  const std::string& head() const { return head_; }

 private:
  enum class Part : uint8_t { length_line, data, line_after_data, trailer };

  std::string_view take_head(std::string_view bytes);
  void read_head();
  std::string_view take_counted(std::string_view bytes, std::string& body);
  std::string_view take_chunked(std::string_view bytes, std::string& body);
  std::string_view take_chunk_line(std::string_view bytes);
  void on_chunk_line();

  FramingState state_ = FramingState::head;
  std::string head_;
  int status_ = 0;
  bool chunked_ = false, counted_ = false;
  std::optional<uint64_t> left_;  // of a counted body, or of the chunk that is being read; absent: until the close
  Part part_ = Part::length_line;
  std::string line_;  // of the chunk coding, begun
};

// The value of a header line, without spaces around it; empty where there is none. `name` in lower case.
std::string_view header_value(std::string_view head, std::string_view name);

}  // namespace sluice::bench
