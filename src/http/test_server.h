// For tests: a Server on its own core thread, and a client that decides each byte. Every wait has a deadline.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "http/server.h"

namespace sluice::http {

// Something that happens on another thread, once.
class Event {
 public:
  void set() { promise_.set_value(); }
  bool wait();  // false: it did not happen in time

 private:
  std::promise<void> promise_;
  std::future<void> future_ = promise_.get_future();
};

class TestServer {
 public:
  explicit TestServer(Bounds bounds = {});
  TestServer(Bounds bounds, Handler handler);
  ~TestServer();

  uint16_t port() const { return port_; }
  Server& server() { return *server_; }
  // Runs `work` on core and waits for it.
  void on_core(std::function<void()> work);
  size_t connections();
  // Where no handler was given: the next request's exchange. Null: none came in time.
  std::shared_ptr<Exchange> next_exchange();
  void reply(const std::shared_ptr<Exchange>& exchange, Response response);

 private:
  boost::asio::io_context core_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{core_.get_executor()};
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::shared_ptr<Exchange>> exchanges_;
  std::unique_ptr<Server> server_;
  uint16_t port_ = 0;
  std::thread thread_;
};

struct RawAnswer {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;                            // chunked ones put together
  bool whole = false;                          // false: the connection ended, or nothing came in time
};

class RawClient {
 public:
  explicit RawClient(uint16_t port, int receive_buffer_bytes = 0);
  ~RawClient();
  void send(std::string_view bytes);
  bool send_until_refused(std::string_view bytes);  // false: the server took it all
  RawAnswer read_answer(bool to_head = false);
  std::string read(size_t bytes);  // fewer where the connection ended
  std::string read_until(std::string_view mark);
  std::string read_to_end();
  bool ended();  // waits: the server closed the connection
  void close();
  void reset();  // closes with RST
  void half_close();

 private:
  bool fill();
  int socket_ = -1;
  std::string in_;
};

std::string get_request(std::string_view path, std::string_view more_headers = "");
std::string post_request(std::string_view path, std::string_view body, std::string_view more_headers = "");

}  // namespace sluice::http
