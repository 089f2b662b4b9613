#include "cli/conversation.h"

#include <cstdio>
#include <utility>

#include "base/limits.h"
#include "cli/sse.h"
#include "http/client.h"

namespace sluice::cli {
namespace {

constexpr int kOk = 200;

void show(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void complain(const std::string& what) { std::fprintf(stderr, "sluice run: %s\n", what.c_str()); }

std::vector<http::Header> headers_of(const config::RunOptions& options) {
  std::vector<http::Header> headers = {{"Content-Type", "application/json"}};
  if (!options.api_key.empty()) headers.push_back({"Authorization", "Bearer " + options.api_key});
  return headers;
}

http::ClientWaits stopped_by(std::stop_token stop) {
  http::ClientWaits waits;
  waits.stop = std::move(stop);
  return waits;
}

// The answer of one request as it comes: events of a stream, or the body of a refusal.
struct Reading {
  Chat& chat;
  SseParser events;
  std::string refusal;
  std::optional<Error> broken;
  bool begun = false;  // something of an answer, even if it is empty

  bool take(int status, std::string_view bytes) {
    if (status != kOk) {
      refusal += bytes;
      return refusal.size() <= limits::sse_event_bytes_max;
    }
    begun = true;
    const Result<void> taken = take_events(bytes);
    if (!taken) broken = taken.error();
    return taken.has_value();
  }

  Result<void> take_events(std::string_view bytes) {
    const auto whole = events.feed(bytes);
    if (!whole) return std::unexpected(whole.error());
    for (const std::string& data : *whole) {
      const Result<std::string> text = chat.on_event(data);
      if (!text) return std::unexpected(text.error());
      show(*text);
    }
    return {};
  }
};

}  // namespace

Result<Conversation> Conversation::open(const std::string& url, const config::RunOptions& options,
                                        std::stop_token stop) {
  std::string body;
  std::vector<http::Header> headers = headers_of(options);
  const auto status = http::get(
      url + "/v1/models", headers,
      [&body](int, std::string_view bytes) {
        body += bytes;
        return body.size() <= limits::sse_event_bytes_max;
      },
      stopped_by(std::move(stop)));
  if (!status) return std::unexpected(status.error());
  if (*status != kOk)
    return fail(ErrorCode::unavailable, url + " answers " + std::to_string(*status) + ": " + error_message(body));
  Result<std::string> model = first_model(body);
  if (!model) return std::unexpected(model.error());
  return Conversation(url, std::move(headers), Chat(options, std::move(*model)));
}

TurnEnd Conversation::turn(std::string text, std::stop_token stop) {
  const std::string body = chat_.ask(std::move(text));
  Reading reading{chat_, {}, {}, {}, false};
  const Result<int> status = http::post_stream(
      url_ + "/v1/chat/completions", body, headers_,
      [&reading](int code, std::string_view bytes) { return reading.take(code, bytes); }, stopped_by(std::move(stop)));
  if (reading.begun) show("\n");
  return finish(status, reading.refusal, reading.broken);
}

TurnEnd Conversation::finish(const Result<int>& status, const std::string& refusal,
                             const std::optional<Error>& broken) {
  if (!status && status.error().code == ErrorCode::cancelled) {
    chat_.end_turn();
    return TurnEnd::interrupted;
  }
  if (!status) {
    complain(status.error().message);
    chat_.forget_turn();
    return TurnEnd::server_gone;
  }
  if (*status != kOk || broken || !chat_.answer_is_whole()) {
    complain(broken ? broken->message : *status != kOk ? error_message(refusal) : "the answer broke off");
    chat_.forget_turn();
    return TurnEnd::failed;
  }
  chat_.end_turn();
  return TurnEnd::answered;
}

}  // namespace sluice::cli
