// A server for tests that says what it is told to, piece by piece, whatever it is asked; then it closes. One connection
// after another. Thread: its own. Lifetime: the test's.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <string>
#include <thread>
#include <vector>

#include "bench/wire/address.h"

namespace sluice::bench {

class ScriptedServer final {
 public:
  explicit ScriptedServer(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {
    thread_ = std::thread([this] { serve(); });
  }
  ~ScriptedServer() {
    stopped_ = true;
    boost::asio::ip::tcp::socket last(io_);  // wakes accept()
    boost::system::error_code ignored;
    last.connect(acceptor_.local_endpoint(), ignored);
    thread_.join();
  }
  Address address() const { return {acceptor_.local_endpoint(), "127.0.0.1", ""}; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()); }

 private:
  void serve() {
    while (!stopped_) {
      boost::asio::ip::tcp::socket client(io_);
      boost::system::error_code ec;
      acceptor_.accept(client, ec);
      char space[4096];
      if (stopped_ || ec) return;
      client.read_some(boost::asio::buffer(space), ec);
      for (const std::string& piece : pieces_) boost::asio::write(client, boost::asio::buffer(piece), ec);
      client.shutdown(boost::asio::ip::tcp::socket::shutdown_send, ec);
      while (!ec) client.read_some(boost::asio::buffer(space), ec);  // until the other side has closed
    }
  }

  boost::asio::io_context io_;
  boost::asio::ip::tcp::acceptor acceptor_{io_, {boost::asio::ip::make_address("127.0.0.1"), 0}};
  std::vector<std::string> pieces_;
  std::atomic<bool> stopped_ = false;
  std::thread thread_;
};

}  // namespace sluice::bench
