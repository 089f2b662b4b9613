// Accepts connections and turns bytes into Exchanges: HTTP/1.1 with keep-alive, bounded headers, bodies, connections
// and times. Malformed requests are answered here (400, 408, 413, 431, 503). Refuses to know routes.
//
// Thread: core. Lifetime: the daemon's; destroyed after the io_context has stopped.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "http/bounds.h"
#include "http/http.h"

namespace sluice::http {

class Server final {
 public:
  struct Options {
    std::string host = "127.0.0.1";
    uint16_t port = 8484;  // 0: the system chooses
    Bounds bounds{};
  };
  // How the body of an answer that http makes itself (400, 413, ...) looks; api/ gives it.
  using ErrorBody = std::function<std::string(int status, const Error& error)>;

  // Error: io (the address is in use, or not this machine's).
  static Result<std::unique_ptr<Server>> create(boost::asio::io_context& core, Options options, Handler handler,
                                                ErrorBody error_body);
  ~Server();
  uint16_t port() const;
  size_t connections() const;
  void stop_accepting();
  // Closes idle connections now and each other one after its answer; accepts no more. `all_closed` is called once, on
  // core, never from within this call.
  void close_when_idle(std::function<void()> all_closed);

 private:
  struct Impl;
  explicit Server(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace sluice::http
