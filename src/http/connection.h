// One client's connection: reads requests one after another, has each answered, writes what the answer says. Goes on
// reading while an answer is made, so that a client that leaves is noticed at once. Refuses to know routes and who else
// is connected.
//
// Thread: core. Lifetime: its pending waits and its host hold it; closed is final.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "http/bounds.h"
#include "http/http.h"
#include "http/request_reader.h"

namespace sluice::http {

class Connection;
class ConnectionExchange;

// The server as its connections see it.
class ConnectionHost {
 public:
  virtual ~ConnectionHost() = default;
  virtual const Bounds& bounds() const = 0;
  virtual std::span<char> scratch() = 0;  // one read's space, shared by all connections
  virtual std::string make_request_id() = 0;
  virtual void handle(std::shared_ptr<Exchange> exchange) = 0;
  virtual std::string error_body(int status, const Error& error) = 0;
  virtual bool closing() const = 0;  // no connection outlives its answer
  virtual void closed(Connection& connection) = 0;
};

enum class ConnectionState : uint8_t {
  idle,       // between requests: nothing of the next one has come
  head,       // a request has begun
  body,       // its header is whole
  answering,  // the handler has it
  finishing,  // the answer is whole; the socket has not taken all of it
  lingering,  // answered and refused: input is dropped until the client has read the answer and closes
  closed,
};
std::string_view name_of(ConnectionState state);
bool may_follow(ConnectionState from, ConnectionState to);

class Connection final : public std::enable_shared_from_this<Connection> {
 public:
  Connection(boost::asio::ip::tcp::socket socket, std::shared_ptr<ConnectionHost> host);
  ~Connection();

  void start();
  void start_refused(const Refusal& refusal);  // answers without reading, then closes
  void close_if_idle();
  void close();  // at once; an answer in the making is gone

 private:
  friend class ConnectionExchange;
  bool reading() const;
  void enter(ConnectionState next);
  void arm(Duration time);
  void disarm();
  void on_deadline();

  void wait_readable();
  void on_readable();
  void on_input_ended();
  void advance();
  bool begin_request();
  void on_head_read(RequestReader::Progress progress);
  void dispatch();
  void refuse(const Refusal& refusal);

  void reply(const Request& request, Response response);
  void begin_stream(const Request& request, int status, const std::string& type, const std::vector<Header>& headers);
  void write(std::string_view chunk);
  void end_stream();
  void finish_answer();

  void send(std::string_view bytes);
  void schedule_flush();
  void flush();
  void wait_writable();
  void on_drained();
  void on_answer_sent();

  boost::asio::ip::tcp::socket socket_;
  boost::asio::steady_timer deadline_;
  std::shared_ptr<ConnectionHost> host_;
  ConnectionState state_ = ConnectionState::idle;
  uint64_t armed_ = 0;  // number of the deadline that counts
  std::string peer_;

  std::string in_;  // read and not yet consumed
  bool read_waits_ = false;
  std::optional<RequestReader> reader_;  // of the request that is being read

  std::shared_ptr<ConnectionExchange> exchange_;  // in `answering`
  bool keep_alive_ = true;
  bool http_1_0_ = false;
  bool body_wanted_ = true;  // the answer's body is sent: not for HEAD
  bool chunked_ = false;
  bool input_abandoned_ = false;  // bytes of this connection were not, and will not be, read as requests

  std::string out_;
  size_t out_sent_ = 0;  // bytes of out_ that the socket took
  bool flush_scheduled_ = false;
  bool write_waits_ = false;
  bool overflowed_ = false;  // the client reads too slowly: the connection is about to close
};

}  // namespace sluice::http
