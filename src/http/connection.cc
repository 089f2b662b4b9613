#include "http/connection.h"

#include <array>
#include <boost/asio/post.hpp>
#include <ctime>

#include "base/check.h"
#include "http/request_id.h"
#include "http/response_head.h"

namespace sluice::http {

using boost::asio::ip::tcp;
using boost::system::error_code;

std::string_view name_of(ConnectionState state) {
  switch (state) {
    case ConnectionState::idle: return "idle";
    case ConnectionState::head: return "head";
    case ConnectionState::body: return "body";
    case ConnectionState::answering: return "answering";
    case ConnectionState::finishing: return "finishing";
    case ConnectionState::lingering: return "lingering";
    case ConnectionState::closed: return "closed";
  }
  UNREACHABLE();
}

bool may_follow(ConnectionState from, ConnectionState to) {
  using enum ConnectionState;
  if (to == closed) return from != closed;
  switch (from) {
    case idle: return to == head || to == finishing;  // finishing: refused before it said a word
    case head: return to == body || to == answering || to == finishing;
    case body: return to == answering || to == finishing;
    case answering: return to == finishing;
    case finishing: return to == idle || to == lingering;
    case lingering: return false;
    case closed: return false;
  }
  UNREACHABLE();
}

// The route's end of an answer; it outlives the connection where the route holds it longer.
class ConnectionExchange final : public Exchange {
 public:
  ConnectionExchange(Connection& connection, Request request)
      : connection_(&connection), request_(std::move(request)) {}

  const Request& request() const override { return request_; }
  void reply(Response response) override {
    if (connection_) connection_->reply(request_, std::move(response));
  }
  void begin_stream(int status, std::string content_type, std::vector<Header> headers) override {
    if (connection_) connection_->begin_stream(request_, status, content_type, headers);
  }
  void write(std::string chunk) override {
    if (connection_) connection_->write(chunk);
  }
  void end_stream() override {
    if (connection_) connection_->end_stream();
  }
  void on_gone(std::function<void()> gone) override { on_gone_ = std::move(gone); }
  bool gone() const override { return gone_; }

  void detach() {  // the answer is whole
    connection_ = nullptr;
    on_gone_ = nullptr;
  }
  void leave() {
    connection_ = nullptr;
    gone_ = true;
    if (auto told = std::exchange(on_gone_, nullptr)) told();
  }

 private:
  Connection* connection_;  // null once the answer is whole or the client gone
  Request request_;
  bool gone_ = false;
  std::function<void()> on_gone_;
};

namespace {

std::string text_of(const tcp::endpoint& endpoint) {
  const auto address = endpoint.address();
  std::string text;
  if (address.is_v6()) text.append("[").append(address.to_string()).append("]");
  if (address.is_v4()) text.append(address.to_string());
  return text.append(":").append(std::to_string(endpoint.port()));
}

// A method's first letter. What else begins a connection is no HTTP, and waiting for its end would be in vain.
bool begins_a_request(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

}  // namespace

Connection::Connection(tcp::socket socket, std::shared_ptr<ConnectionHost> host)
    : socket_(std::move(socket)), deadline_(socket_.get_executor()), host_(std::move(host)) {}

Connection::~Connection() = default;

void Connection::start() {
  error_code ec;
  const auto peer = socket_.remote_endpoint(ec);
  if (!ec) peer_ = text_of(peer);
  socket_.set_option(tcp::no_delay(true), ec);
  socket_.non_blocking(true, ec);
  arm(host_->bounds().idle_time_max);
  wait_readable();
}

void Connection::start_refused(const Refusal& refusal) {
  start();
  refuse(refusal);
}

// ---- state and time -------------------------------------------------------------------------------------------------

bool Connection::reading() const {
  return state_ == ConnectionState::idle || state_ == ConnectionState::head || state_ == ConnectionState::body;
}

void Connection::enter(ConnectionState next) {
  CHECK(may_follow(state_, next));
  state_ = next;
  const Bounds& bounds = host_->bounds();
  switch (next) {
    case ConnectionState::idle: return arm(bounds.idle_time_max);
    case ConnectionState::head: return arm(bounds.header_read_time_max);
    case ConnectionState::body: return arm(bounds.body_read_time_max);
    case ConnectionState::lingering: return arm(bounds.linger_time_max);
    case ConnectionState::finishing:
    case ConnectionState::answering:
      // A write that waits, perhaps since the body was read, has a deadline in every state.
      return write_waits_ ? arm(bounds.write_stall_time_max) : disarm();
    case ConnectionState::closed: return disarm();
  }
}

void Connection::arm(Duration time) {
  deadline_.expires_after(time);
  deadline_.async_wait([self = shared_from_this(), number = ++armed_](const error_code& ec) {
    if (!ec && number == self->armed_) self->on_deadline();
  });
}

void Connection::disarm() {
  ++armed_;
  deadline_.cancel();
}

void Connection::on_deadline() {
  switch (state_) {
    case ConnectionState::head:
      return refuse({408, {ErrorCode::timed_out, "the request's header did not come in time", {}}});
    case ConnectionState::body:
      return refuse({408, {ErrorCode::timed_out, "the request's body did not come in time", {}}});
    case ConnectionState::idle:
    case ConnectionState::answering:
    case ConnectionState::finishing:
    case ConnectionState::lingering: return close();
    case ConnectionState::closed: return;
  }
}

void Connection::close_if_idle() {
  if (state_ == ConnectionState::idle) close();
}

void Connection::close() {
  if (state_ == ConnectionState::closed) return;
  const auto self = shared_from_this();
  enter(ConnectionState::closed);
  error_code ignored;
  socket_.close(ignored);
  host_->closed(*this);
  if (const auto exchange = std::exchange(exchange_, nullptr)) exchange->leave();
}

// ---- in -------------------------------------------------------------------------------------------------------------

void Connection::wait_readable() {
  const bool full =
      !reading() && state_ != ConnectionState::lingering && in_.size() >= host_->bounds().pipelined_bytes_max;
  if (read_waits_ || full || state_ == ConnectionState::closed) return;
  read_waits_ = true;
  socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](const error_code&) {
    self->read_waits_ = false;
    self->on_readable();
  });
}

void Connection::on_readable() {
  if (state_ == ConnectionState::closed) return;
  const auto space = host_->scratch();
  error_code ec;
  const size_t got = socket_.read_some(boost::asio::buffer(space.data(), space.size()), ec);
  if (ec && ec != boost::asio::error::would_block) return on_input_ended();
  if (state_ != ConnectionState::lingering) in_.append(space.data(), got);
  if (reading()) advance();
  wait_readable();
}

void Connection::on_input_ended() {
  // Once an answer is whole, a client that has closed its sending side may still read it.
  if (state_ != ConnectionState::finishing) return close();
  keep_alive_ = false;
}

void Connection::advance() {
  while (reading() && begin_request()) {
    const auto fed = reader_->feed(in_);
    in_.erase(0, fed.consumed);
    if (state_ == ConnectionState::head && reader_->head_read()) on_head_read(fed.progress);
    switch (fed.progress) {
      case RequestReader::Progress::more: return;
      case RequestReader::Progress::whole: dispatch(); break;
      case RequestReader::Progress::broken: refuse(reader_->refusal()); break;
    }
  }
}

// Whether there is something to feed to a reader.
bool Connection::begin_request() {
  if (state_ != ConnectionState::idle) return true;
  in_.erase(0, in_.find_first_not_of("\r\n"));  // empty lines before a request are allowed
  if (in_.empty()) return false;
  enter(ConnectionState::head);
  if (!begins_a_request(in_[0])) {
    refuse(
        {400, {ErrorCode::invalid, "this is not an HTTP/1.1 request; this port speaks plain HTTP, without TLS", {}}});
    return false;
  }
  const Bounds& bounds = host_->bounds();
  reader_.emplace(RequestReader::Bounds{bounds.header_bytes_max, bounds.body_bytes_max});
  return true;
}

void Connection::on_head_read(RequestReader::Progress progress) {
  enter(ConnectionState::body);
  http_1_0_ = reader_->http_1_0();
  const bool body_awaited = progress == RequestReader::Progress::more;
  if (body_awaited && reader_->expects_continue()) send("HTTP/1.1 100 Continue\r\n\r\n");
}

void Connection::dispatch() {
  Request request = reader_->take();
  keep_alive_ = reader_->keep_alive();
  reader_.reset();
  const auto id = request.header("X-Request-Id");
  request.id = id && usable_request_id(*id) ? std::string(*id) : host_->make_request_id();
  request.peer = peer_;
  request.received = Clock::now();
  enter(ConnectionState::answering);
  const auto exchange = std::make_shared<ConnectionExchange>(*this, std::move(request));
  exchange_ = exchange;
  host_->handle(exchange);
}

void Connection::refuse(const Refusal& refusal) {
  Request unread;
  unread.id = host_->make_request_id();
  keep_alive_ = false;
  input_abandoned_ = true;
  reply(unread, {refusal.status, {}, "application/json", host_->error_body(refusal.status, refusal.error)});
}

// ---- out ------------------------------------------------------------------------------------------------------------

void Connection::reply(const Request& request, Response response) {
  keep_alive_ = keep_alive_ && !host_->closing();
  Head head;
  head.status = response.status;
  head.request_id = request.id;
  head.keep_alive = keep_alive_;
  head.http_1_0 = http_1_0_;
  head.now = std::time(nullptr);
  if (response.status != 204) {
    head.content_type = response.content_type;
    head.content_length = response.body.size();
  }
  send(format(head, response.headers));
  if (request.method != Method::head && response.status != 204) send(response.body);
  finish_answer();
}

void Connection::begin_stream(const Request& request, int status, const std::string& type,
                              const std::vector<Header>& headers) {
  chunked_ = !http_1_0_;
  body_wanted_ = request.method != Method::head;
  keep_alive_ = keep_alive_ && chunked_ && !host_->closing();
  Head head;
  head.status = status;
  head.content_type = type;
  head.request_id = request.id;
  head.chunked = chunked_;
  head.keep_alive = keep_alive_;
  head.http_1_0 = http_1_0_;
  head.now = std::time(nullptr);
  send(format(head, headers));
}

void Connection::write(std::string_view chunk) {
  if (chunk.empty() || !body_wanted_ || overflowed_) return;
  if (out_.size() - out_sent_ + chunk.size() > host_->bounds().send_buffer_bytes_max) {
    overflowed_ = true;
    return boost::asio::post(socket_.get_executor(), [self = shared_from_this()] { self->close(); });
  }
  if (chunked_) {
    append_chunk(out_, chunk);
    schedule_flush();
  } else {
    send(chunk);
  }
}

void Connection::end_stream() {
  if (overflowed_) return;  // the client is told gone, not answered
  if (chunked_ && body_wanted_) send(kLastChunk);
  finish_answer();
}

void Connection::finish_answer() {
  if (const auto exchange = std::exchange(exchange_, nullptr)) exchange->detach();
  enter(ConnectionState::finishing);
  schedule_flush();
}

void Connection::send(std::string_view bytes) {
  out_.append(bytes);
  schedule_flush();
}

// Sending waits until the event that wrote has been dealt with, so that all it wrote goes out in one piece.
void Connection::schedule_flush() {
  if (flush_scheduled_ || write_waits_) return;
  flush_scheduled_ = true;
  boost::asio::post(socket_.get_executor(), [self = shared_from_this()] {
    self->flush_scheduled_ = false;
    self->flush();
  });
}

void Connection::flush() {
  if (state_ == ConnectionState::closed) return;
  while (out_sent_ < out_.size()) {
    error_code ec;
    out_sent_ += socket_.write_some(boost::asio::buffer(out_.data() + out_sent_, out_.size() - out_sent_), ec);
    if (ec == boost::asio::error::would_block) return wait_writable();
    if (ec) return close();
  }
  on_drained();
}

void Connection::wait_writable() {
  out_.erase(0, std::exchange(out_sent_, 0));
  write_waits_ = true;
  if (!reading()) arm(host_->bounds().write_stall_time_max);
  socket_.async_wait(tcp::socket::wait_write, [self = shared_from_this()](const error_code&) {
    self->write_waits_ = false;
    self->flush();
  });
}

void Connection::on_drained() {
  out_sent_ = 0;
  constexpr size_t kept_bytes = 64u << 10;  // a large answer's space is given back
  out_.capacity() > kept_bytes ? std::string().swap(out_) : out_.clear();
  if (state_ == ConnectionState::answering) disarm();
  if (state_ == ConnectionState::finishing) on_answer_sent();
}

void Connection::on_answer_sent() {
  if (keep_alive_ && !host_->closing()) {
    enter(ConnectionState::idle);
    advance();
    return wait_readable();
  }
  // Closing with unread input would make the system send a reset, which can overtake the answer.
  if (!input_abandoned_ && in_.empty()) return close();
  enter(ConnectionState::lingering);
  error_code ignored;
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
  wait_readable();
}

}  // namespace sluice::http
