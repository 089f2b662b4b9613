// The bounds of one server, by default those of base/limits.h; tests make them small. Thread: any.
#pragma once

#include <cstddef>

#include "base/limits.h"
#include "base/time.h"

namespace sluice::http {

struct Bounds {
  size_t header_bytes_max = limits::header_bytes_max;
  size_t body_bytes_max = limits::body_bytes_max;
  size_t connections_max = limits::connections_max;
  size_t send_buffer_bytes_max = limits::send_buffer_bytes_max;  // of a stream; a reply() is bounded by who makes it
  size_t pipelined_bytes_max = limits::pipelined_bytes_max;
  Duration header_read_time_max = limits::header_read_time_max;
  Duration body_read_time_max = limits::body_read_time_max;
  Duration idle_time_max = limits::idle_connection_time_max;
  Duration write_stall_time_max = limits::write_stall_time_max;
  Duration linger_time_max = limits::linger_time_max;
};

}  // namespace sluice::http
