#include "http/server.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <unordered_set>

#include "http/connection.h"
#include "http/request_id.h"

namespace sluice::http {

using boost::asio::ip::tcp;
using boost::system::error_code;

struct Server::Impl final : public ConnectionHost, public std::enable_shared_from_this<Impl> {
  Impl(boost::asio::io_context& io, const Bounds& b, Handler h, ErrorBody e)
      : core(io), acceptor(io), retry(io), bounds_(b), handler(std::move(h)), body_of_error(std::move(e)) {}

  Result<void> listen(const Options& options);
  void accept();
  void on_accepted(const error_code& ec, tcp::socket socket);
  void take(tcp::socket socket);
  void stop_accepting();
  void close_when_idle(std::function<void()> done);
  void tell_if_all_closed();

  const Bounds& bounds() const override { return bounds_; }
  std::span<char> scratch() override { return read_space; }
  std::string make_request_id() override { return ids.make(); }
  void handle(std::shared_ptr<Exchange> exchange) override { handler(std::move(exchange)); }
  std::string error_body(int status, const Error& error) override { return body_of_error(status, error); }
  bool closing() const override { return is_closing; }
  void closed(Connection& connection) override;

  boost::asio::io_context& core;
  tcp::acceptor acceptor;
  boost::asio::steady_timer retry;
  const Bounds bounds_;
  Handler handler;
  ErrorBody body_of_error;
  RequestIds ids;
  uint16_t port = 0;
  bool is_closing = false;
  std::function<void()> all_closed;
  std::unordered_set<std::shared_ptr<Connection>> connections;
  std::array<char, 64u << 10> read_space;
};

namespace {

std::string where(const Server::Options& options) {
  const bool v6 = options.host.find(':') != std::string::npos;
  return v6 ? fmt::format("[{}]:{}", options.host, options.port) : fmt::format("{}:{}", options.host, options.port);
}

std::unexpected<Error> cannot_listen(const Server::Options& options, const error_code& ec) {
  if (ec == boost::asio::error::address_in_use) {
    return fail(ErrorCode::io, "cannot listen on " + where(options) +
                                   ": another program listens there; stop it or choose another port");
  }
  return fail(ErrorCode::io, "cannot listen on " + where(options) + ": " + ec.message());
}

}  // namespace

Result<void> Server::Impl::listen(const Options& options) {
  error_code ec;
  const auto found = tcp::resolver(core).resolve(options.host, std::to_string(options.port),
                                                 tcp::resolver::passive | tcp::resolver::numeric_service, ec);
  if (ec || found.empty()) return cannot_listen(options, ec);
  const tcp::endpoint endpoint = found.begin()->endpoint();
  if (acceptor.open(endpoint.protocol(), ec); ec) return cannot_listen(options, ec);
  acceptor.set_option(tcp::acceptor::reuse_address(true), ec);
  if (acceptor.bind(endpoint, ec); ec) return cannot_listen(options, ec);
  if (acceptor.listen(boost::asio::socket_base::max_listen_connections, ec); ec) return cannot_listen(options, ec);
  port = acceptor.local_endpoint(ec).port();
  return {};
}

void Server::Impl::accept() {
  acceptor.async_accept([self = shared_from_this()](const error_code& ec, tcp::socket socket) {
    self->on_accepted(ec, std::move(socket));
  });
}

void Server::Impl::on_accepted(const error_code& ec, tcp::socket socket) {
  if (!acceptor.is_open()) return;
  if (!ec) {
    take(std::move(socket));
    return accept();
  }
  if (ec == boost::asio::error::connection_aborted) return accept();
  // Out of descriptors or memory: accepting at once again would fail again, and spin.
  retry.expires_after(limits::accept_retry_time);
  retry.async_wait([self = shared_from_this()](const error_code& cancelled) {
    if (!cancelled && self->acceptor.is_open()) self->accept();
  });
}

void Server::Impl::take(tcp::socket socket) {
  const size_t count = connections.size();
  if (count >= bounds_.connections_max + limits::refused_connections_max) return;
  const auto connection = std::make_shared<Connection>(std::move(socket), shared_from_this());
  connections.insert(connection);
  if (count < bounds_.connections_max) return connection->start();
  connection->start_refused({503,
                             {ErrorCode::overloaded,
                              "the server has its maximum of " + std::to_string(bounds_.connections_max) +
                                  " connections; the same request works later",
                              {}}});
}

void Server::Impl::closed(Connection& connection) {
  connections.erase(connection.shared_from_this());
  tell_if_all_closed();
}

void Server::Impl::stop_accepting() {
  error_code ignored;
  acceptor.close(ignored);
  retry.cancel();
}

void Server::Impl::close_when_idle(std::function<void()> done) {
  stop_accepting();
  is_closing = true;
  all_closed = std::move(done);
  const auto snapshot = connections;  // closing takes from the set
  for (const auto& connection : snapshot) connection->close_if_idle();
  tell_if_all_closed();
}

void Server::Impl::tell_if_all_closed() {
  if (is_closing && connections.empty() && all_closed) boost::asio::post(core, std::exchange(all_closed, nullptr));
}

Result<std::unique_ptr<Server>> Server::create(boost::asio::io_context& core, Options options, Handler handler,
                                               ErrorBody error_body) {
  const auto impl = std::make_shared<Impl>(core, options.bounds, std::move(handler), std::move(error_body));
  if (auto listening = impl->listen(options); !listening) return std::unexpected(listening.error());
  impl->accept();
  return std::unique_ptr<Server>(new Server(impl));
}

Server::Server(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() {
  impl_->stop_accepting();
  impl_->all_closed = nullptr;
  const auto snapshot = impl_->connections;
  for (const auto& connection : snapshot) connection->close();
}

uint16_t Server::port() const { return impl_->port; }
size_t Server::connections() const { return impl_->connections.size(); }
void Server::stop_accepting() { impl_->stop_accepting(); }
void Server::close_when_idle(std::function<void()> all_closed) { impl_->close_when_idle(std::move(all_closed)); }

}  // namespace sluice::http
