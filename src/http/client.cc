#include "http/client.h"

#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>

#include "http/url.h"

namespace sluice::http {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;
namespace beast = boost::beast::http;

// One connection with deadlines: each operation runs the private io_context until it ended or took too long.
class Line final {
 public:
  Line(const Url& url, ClientWaits waits)
      : waits_(std::move(waits)), socket_(io_), name_(url.host_header()), on_stop_(waits_.stop, Stop{io_}) {}

  Result<size_t> connect(const Url& url) {
    error_code ec;
    const auto found = tcp::resolver(io_).resolve(url.host, std::to_string(url.port), ec);
    if (ec) return fail(ErrorCode::io, "cannot find " + url.host + ": " + ec.message());
    return run(waits_.connect_max, "connect to", [&](auto done) {
      boost::asio::async_connect(socket_, found, [done](const error_code& e, const tcp::endpoint&) { done(e, 0); });
    });
  }

  Result<size_t> send(const std::string& bytes) {
    return run(waits_.silence_max, "write to",
               [&](auto done) { boost::asio::async_write(socket_, boost::asio::buffer(bytes), done); });
  }

  // Empty at the end of the connection; valid until the next call.
  Result<std::string_view> read() {
    auto got = run(waits_.silence_max, "read from",
                   [&](auto done) { socket_.async_read_some(boost::asio::buffer(space_), done); });
    if (!got) return std::unexpected(got.error());
    return std::string_view(space_.data(), *got);
  }

 private:
  template <class Start>
  Result<size_t> run(std::chrono::milliseconds time, std::string_view verb, Start start) {
    std::optional<error_code> ended;
    size_t count = 0;
    start([&](const error_code& ec, size_t n) {
      ended = ec;
      count = n;
    });
    io_.restart();
    if (!waits_.stop.stop_requested()) io_.run_for(time);  // a stop requested from here on ends run_for()
    const std::string what = "cannot " + std::string(verb) + " " + name_ + ": ";
    if (!ended) {
      error_code ignored;
      socket_.close(ignored);
      io_.restart();
      io_.run();
      if (waits_.stop.stop_requested()) return fail(ErrorCode::cancelled, what + "stopped");
      return fail(ErrorCode::timed_out, what + "no answer in " + std::to_string(time.count()) + " ms");
    }
    if (*ended == boost::asio::error::eof) return 0;
    if (*ended) return fail(ErrorCode::io, what + ended->message());
    return count;
  }

  struct Stop {
    boost::asio::io_context& io;
    void operator()() const { io.stop(); }
  };

  boost::asio::io_context io_;
  ClientWaits waits_;
  tcp::socket socket_;
  std::string name_;
  std::array<char, 64u << 10> space_;
  std::stop_callback<Stop> on_stop_;
};

using ResponseParser = beast::response_parser<beast::string_body>;

// Hands over what the parser has of the body. False: the caller has enough.
bool hand_over(ResponseParser& parser, const OnBytes& on_bytes) {
  if (!parser.is_header_done()) return true;
  std::string bytes;
  bytes.swap(parser.get().body());
  return bytes.empty() || on_bytes(parser.get().result_int(), bytes);
}

std::unexpected<Error> not_http(const error_code& ec) {
  return fail(ErrorCode::protocol, "the answer is not HTTP/1.1: " + ec.message());
}

// Feeds `in` to the parser; what it did not take stays.
error_code feed(ResponseParser& parser, std::string& in) {
  error_code ec;
  while (!in.empty() && !parser.is_done()) {
    const size_t taken = parser.put(boost::asio::buffer(in), ec);
    in.erase(0, taken);
    if (ec == beast::error::need_more) return {};
    if (ec) return ec;
  }
  return {};
}

Result<int> read_answer(Line& line, const OnBytes& on_bytes) {
  ResponseParser parser;
  parser.eager(true);
  parser.body_limit(boost::none);
  std::string in;
  while (!parser.is_done()) {
    const auto bytes = line.read();
    if (!bytes) return std::unexpected(bytes.error());
    error_code ec;
    if (bytes->empty()) {
      if (!parser.is_header_done()) return fail(ErrorCode::io, "the server closed the connection without an answer");
      parser.put_eof(ec);
      if (ec) return fail(ErrorCode::io, "the server closed the connection in the middle of its answer");
    } else {
      in.append(*bytes);
      if (ec = feed(parser, in); ec) return not_http(ec);
    }
    if (!hand_over(parser, on_bytes)) break;
  }
  return static_cast<int>(parser.get().result_int());
}

Result<int> call(std::string_view method, const std::string& address, const std::string* body,
                 const std::vector<Header>& headers, const OnBytes& on_bytes, ClientWaits waits) {
  const auto url = parse_url(address);
  if (!url) return std::unexpected(url.error());
  std::string request(method);
  request.append(" ").append(url->target).append(" HTTP/1.1\r\nHost: ").append(url->host_header());
  request.append("\r\nConnection: close\r\n");
  for (const Header& h : headers) request.append(h.name).append(": ").append(h.value).append("\r\n");
  if (body) request.append("Content-Length: ").append(std::to_string(body->size())).append("\r\n");
  request.append("\r\n");
  if (body) request.append(*body);
  Line line(*url, std::move(waits));
  if (auto connected = line.connect(*url); !connected) return std::unexpected(connected.error());
  if (auto sent = line.send(request); !sent) return std::unexpected(sent.error());
  return read_answer(line, on_bytes);
}

}  // namespace

Result<int> post_stream(const std::string& url, std::string body, const std::vector<Header>& headers, OnBytes on_bytes,
                        ClientWaits waits) {
  return call("POST", url, &body, headers, on_bytes, std::move(waits));
}

Result<int> get(const std::string& url, const std::vector<Header>& headers, OnBytes on_bytes, ClientWaits waits) {
  return call("GET", url, nullptr, headers, on_bytes, std::move(waits));
}

}  // namespace sluice::http
