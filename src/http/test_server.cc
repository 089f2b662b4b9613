#include "http/test_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

namespace sluice::http {

using namespace std::chrono_literals;
constexpr auto kDeadline = 10s;

bool Event::wait() { return future_.wait_for(kDeadline) == std::future_status::ready; }

TestServer::TestServer(Bounds bounds)
    : TestServer(bounds, [this](std::shared_ptr<Exchange> exchange) {
        const std::lock_guard lock(mutex_);
        exchanges_.push_back(std::move(exchange));
        arrived_.notify_all();
      }) {}

TestServer::TestServer(Bounds bounds, Handler handler) {
  auto made = Server::create(core_, {"127.0.0.1", 0, bounds}, std::move(handler), [](int status, const Error& error) {
    return std::to_string(status) + " " + std::string(name_of(error.code)) + ": " + error.message;
  });
  EXPECT_TRUE(made) << made.error().message;
  server_ = std::move(*made);
  port_ = server_->port();
  thread_ = std::thread([this] { core_.run(); });
}

TestServer::~TestServer() {
  core_.stop();
  thread_.join();
  exchanges_.clear();
  server_.reset();
}

void TestServer::on_core(std::function<void()> work) {
  Event done;
  boost::asio::post(core_, [&] {
    work();
    done.set();
  });
  ASSERT_TRUE(done.wait());
}

size_t TestServer::connections() {
  size_t count = 0;
  on_core([&] { count = server_->connections(); });
  return count;
}

std::shared_ptr<Exchange> TestServer::next_exchange() {
  std::unique_lock lock(mutex_);
  if (!arrived_.wait_for(lock, kDeadline, [this] { return !exchanges_.empty(); })) return nullptr;
  auto exchange = std::move(exchanges_.front());
  exchanges_.pop_front();
  return exchange;
}

void TestServer::reply(const std::shared_ptr<Exchange>& exchange, Response response) {
  on_core([&] { exchange->reply(std::move(response)); });
}

RawClient::RawClient(uint16_t port, int receive_buffer_bytes)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (receive_buffer_bytes > 0) {
    setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof receive_buffer_bytes);
  }
  const timeval deadline{std::chrono::seconds(kDeadline).count(), 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &deadline, sizeof deadline);
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &deadline, sizeof deadline);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
}

RawClient::~RawClient() { close(); }

bool RawClient::send_until_refused(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return true;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return false;
}

void RawClient::send(std::string_view bytes) { EXPECT_FALSE(send_until_refused(bytes)); }

bool RawClient::fill() {
  char space[16384];
  const ssize_t got = ::recv(socket_, space, sizeof space, 0);
  if (got <= 0) return false;
  in_.append(space, static_cast<size_t>(got));
  return true;
}

std::string RawClient::read(size_t bytes) {
  while (in_.size() < bytes && fill()) {
  }
  std::string out = in_.substr(0, bytes);
  in_.erase(0, bytes);
  return out;
}

std::string RawClient::read_until(std::string_view mark) {
  while (in_.find(mark) == std::string::npos && fill()) {
  }
  const size_t at = in_.find(mark);
  return read(at == std::string::npos ? in_.size() : at + mark.size());
}

std::string RawClient::read_to_end() {
  while (fill()) {
  }
  return std::exchange(in_, {});
}

bool RawClient::ended() {
  char byte;
  return in_.empty() && ::recv(socket_, &byte, 1, 0) == 0;
}

RawAnswer RawClient::read_answer(bool to_head) {
  RawAnswer answer;
  const std::string head = read_until("\r\n\r\n");
  if (!head.ends_with("\r\n\r\n")) return answer;
  answer.status = std::atoi(head.c_str() + sizeof "HTTP/1.1");
  for (size_t at = head.find("\r\n") + 2; at + 2 < head.size();) {
    const size_t end = head.find("\r\n", at);
    const size_t colon = head.find(": ", at);
    std::string name = head.substr(at, colon - at);
    std::transform(name.begin(), name.end(), name.begin(), [](char c) { return static_cast<char>(std::tolower(c)); });
    answer.headers[name] = head.substr(colon + 2, end - colon - 2);
    at = end + 2;
  }
  if (to_head) {
    answer.whole = true;
  } else if (answer.headers.contains("content-length")) {
    const size_t length = std::stoul(answer.headers["content-length"]);
    answer.body = read(length);
    answer.whole = answer.body.size() == length;
  } else if (answer.headers.contains("transfer-encoding")) {
    while (true) {
      const std::string line = read_until("\r\n");
      const size_t length = line.empty() ? 0 : std::stoul(line, nullptr, 16);
      const std::string bytes = read(length + 2);
      if (bytes.size() != length + 2) break;
      answer.body += bytes.substr(0, length);
      if (length == 0) answer.whole = true;
      if (length == 0) break;
    }
  } else {
    answer.body = read_to_end();
    answer.whole = true;
  }
  return answer;
}

void RawClient::close() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

void RawClient::reset() {
  const linger now{1, 0};
  setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  close();
}

void RawClient::half_close() { ::shutdown(socket_, SHUT_WR); }

std::string get_request(std::string_view path, std::string_view more_headers) {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: test\r\n" + std::string(more_headers) + "\r\n";
}

std::string post_request(std::string_view path, std::string_view body, std::string_view more_headers) {
  return "POST " + std::string(path) + " HTTP/1.1\r\nHost: test\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n" + std::string(more_headers) + "\r\n" + std::string(body);
}

}  // namespace sluice::http
