#include "http/request_reader.h"

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/verb.hpp>

#include "http/url.h"

namespace sluice::http {
namespace {

namespace beast = boost::beast::http;
using RequestParser = beast::request_parser<beast::string_body>;

Method method_of(beast::verb verb) {
  switch (verb) {
    case beast::verb::get: return Method::get;
    case beast::verb::post: return Method::post;
    case beast::verb::head: return Method::head;
    case beast::verb::options: return Method::options;
    case beast::verb::put: return Method::put;
    case beast::verb::patch: return Method::patch;
    case beast::verb::delete_: return Method::del;
    default: return Method::other;
  }
}

Refusal refusal_for(const boost::system::error_code& ec, const RequestReader::Bounds& bounds) {
  if (ec == beast::error::header_limit) {
    const auto words = "the request's header is over " + std::to_string(bounds.header_bytes_max) + " bytes";
    return {431, {ErrorCode::too_large, words, {}}};
  }
  if (ec == beast::error::body_limit) {
    const auto words = "the request's body is over " + std::to_string(bounds.body_bytes_max) + " bytes";
    return {413, {ErrorCode::too_large, words, {}}};
  }
  if (ec == beast::error::bad_version) {
    return {505, {ErrorCode::unsupported, "this server speaks HTTP/1.1 and HTTP/1.0", {}}};
  }
  return {400, {ErrorCode::invalid, "this is not an HTTP/1.1 request: " + ec.message(), {}}};
}

}  // namespace

struct RequestReader::Impl {
  explicit Impl(Bounds b) : bounds(b) {
    parser.eager(true);
    parser.header_limit(static_cast<uint32_t>(b.header_bytes_max));
    parser.body_limit(b.body_bytes_max);
  }

  bool check_head();
  std::string_view bounded(std::string_view rest) const;
  bool refuse(int status, ErrorCode code, std::string words) {
    refusal = {status, {code, std::move(words), {}}};
    return false;
  }

  Bounds bounds;
  RequestParser parser;
  Refusal refusal;
  Target target;
  size_t head_bytes = 0;  // of the head, consumed so far
  bool head_checked = false;
  bool expects_continue = false;
};

bool RequestReader::Impl::check_head() {
  head_checked = true;
  const auto& head = parser.get();
  auto parsed = parse_target({head.target().data(), head.target().size()});
  if (!parsed) return refuse(400, parsed.error().code, parsed.error().message);
  target = std::move(*parsed);
  const auto expect = head.find(beast::field::expect);
  if (expect == head.end() || head.version() == 10) return true;
  if (!boost::beast::iequals(expect->value(), "100-continue")) {
    return refuse(417, ErrorCode::unsupported, "the only expectation this server meets is 100-continue");
  }
  expects_continue = true;
  return true;
}

// Of `rest`, what the head may still take: the parser's own bound is of one call, the head's is of all of them.
std::string_view RequestReader::Impl::bounded(std::string_view rest) const {
  return parser.is_header_done() ? rest : rest.substr(0, bounds.header_bytes_max - head_bytes);
}

RequestReader::RequestReader(Bounds bounds) : impl_(std::make_unique<Impl>(bounds)) {}
RequestReader::~RequestReader() = default;

RequestReader::Fed RequestReader::feed(std::string_view bytes) {
  RequestParser& parser = impl_->parser;
  Fed fed;
  while (!parser.is_done() && fed.consumed < bytes.size()) {
    boost::system::error_code ec;
    const auto rest = bytes.substr(fed.consumed);
    const auto piece = impl_->bounded(rest);
    const size_t taken = parser.put(boost::asio::buffer(piece.data(), piece.size()), ec);
    fed.consumed += taken;
    if (!parser.is_header_done()) impl_->head_bytes += taken;
    if (!parser.is_header_done() && piece.size() < rest.size() && (!ec || ec == beast::error::need_more)) {
      ec = beast::error::header_limit;
    }
    if (parser.is_header_done() && !impl_->head_checked && !impl_->check_head()) {
      fed.progress = Progress::broken;
      return fed;
    }
    if (ec == beast::error::need_more || (!ec && taken == 0)) return fed;
    if (ec) {
      impl_->refusal = refusal_for(ec, impl_->bounds);
      fed.progress = Progress::broken;
      return fed;
    }
  }
  if (parser.is_done()) fed.progress = Progress::whole;
  return fed;
}

bool RequestReader::head_read() const { return impl_->head_checked; }
bool RequestReader::expects_continue() const { return impl_->expects_continue; }
bool RequestReader::keep_alive() const { return impl_->parser.keep_alive(); }
bool RequestReader::http_1_0() const { return impl_->parser.is_header_done() && impl_->parser.get().version() == 10; }
const Refusal& RequestReader::refusal() const { return impl_->refusal; }

Request RequestReader::take() {
  auto message = impl_->parser.release();
  Request request;
  request.method = method_of(message.method());
  request.path = std::move(impl_->target.path);
  request.query = std::move(impl_->target.query);
  for (const auto& field : message) {
    request.headers.push_back({std::string(field.name_string()), std::string(field.value())});
  }
  request.body = std::move(message.body());
  return request;
}

}  // namespace sluice::http
