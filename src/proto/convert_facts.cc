#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "proto/convert.h"
#include "proto/wire_time.h"

namespace sluice::proto {
namespace {

TokenLogprob message_of(const sluice::TokenLogprob& logprob) {
  TokenLogprob message;
  message.set_token(logprob.token);
  message.set_logprob(logprob.logprob);
  message.set_bytes(logprob.bytes);
  for (const auto& alternative : logprob.top) {
    TokenLogprob* top = message.add_top();
    top->set_token(alternative.token);
    top->set_logprob(alternative.logprob);
    top->set_bytes(alternative.bytes);
  }
  return message;
}

Result<sluice::TokenLogprob> logprob_of(const TokenLogprob& message) {
  if (message.top_size() > static_cast<int>(limits::top_logprobs_max)) {
    return fail(ErrorCode::protocol, "a token has more alternatives than can be asked for", "logprobs.top");
  }
  sluice::TokenLogprob logprob{message.token(), message.logprob(), message.bytes(), {}};
  if (std::isnan(logprob.logprob)) return fail(ErrorCode::protocol, "a logprob is not a number", "logprobs");
  for (const TokenLogprob& top : message.top()) {
    if (std::isnan(top.logprob()) || top.top_size() > 0) {
      return fail(ErrorCode::protocol, "an alternative is not a number, or has alternatives itself", "logprobs.top");
    }
    logprob.top.push_back({top.token(), top.logprob(), top.bytes()});
  }
  return logprob;
}

GenerationFinished message_of(const Finished& finished) {
  GenerationFinished message;
  switch (finished.reason) {
    case FinishReason::stop: message.set_reason(GenerationFinished::STOP); break;
    case FinishReason::length: message.set_reason(GenerationFinished::LENGTH); break;
    case FinishReason::deadline: message.set_reason(GenerationFinished::DEADLINE); break;
  }
  message.set_stop_string(finished.stop_string);
  message.set_prompt_tokens(finished.usage.prompt_tokens);
  message.set_cached_tokens(finished.usage.cached_tokens);
  message.set_completion_tokens(finished.usage.completion_tokens);
  set_timings(finished.timings, message);
  return message;
}

Result<FinishReason> reason_of(const GenerationFinished& message) {
  if (message.reason() == GenerationFinished::STOP) return FinishReason::stop;
  if (message.reason() == GenerationFinished::LENGTH) return FinishReason::length;
  if (message.reason() == GenerationFinished::DEADLINE) return FinishReason::deadline;
  return fail(ErrorCode::protocol, "an unknown reason to finish", "finished.reason");
}

Result<Finished> finished_of(const GenerationFinished& message) {
  const auto reason = reason_of(message);
  if (!reason) return std::unexpected(reason.error());
  const auto timings = timings_of(message, "finished");
  if (!timings) return std::unexpected(timings.error());
  const Usage usage{message.prompt_tokens(), message.cached_tokens(), message.completion_tokens()};
  if (usage.cached_tokens > usage.prompt_tokens) {
    return fail(ErrorCode::protocol, "more tokens cached than the prompt has", "finished.cached_tokens");
  }
  return Finished{*reason, message.stop_string(), usage, *timings};
}

Result<Output> output_of(const GenerationEvent& event) {
  if (event.logprobs_size() != 0 && event.logprobs_size() != event.tokens_size()) {
    return fail(ErrorCode::protocol, "as many logprobs as tokens are needed, or none", "logprobs");
  }
  Output output{{event.tokens().begin(), event.tokens().end()}, event.text(), {}};
  for (const TokenLogprob& message : event.logprobs()) {
    auto logprob = logprob_of(message);
    if (!logprob) return std::unexpected(logprob.error());
    output.logprobs.push_back(*std::move(logprob));
  }
  return output;
}

bool has_output(const GenerationEvent& event) {
  return event.tokens_size() != 0 || !event.text().empty() || event.logprobs_size() != 0;
}

bool has_end(const GenerationEvent& event) { return event.has_finished() || event.has_failed(); }

// A fact may follow only what the message's field order puts before it.
struct AppendTo {
  GenerationEvent& event;

  void operator()(const Accepted&) const {
    CHECK(!event.accepted() && !event.has_started() && !has_output(event) && !has_end(event));
    event.set_accepted(true);
  }
  void operator()(const Started& started) const {
    CHECK(!event.has_started() && !has_output(event) && !has_end(event));
    event.mutable_started()->set_cached_tokens(started.cached_tokens);
  }
  void operator()(const Output& output) const {
    CHECK(!has_end(event));
    event.mutable_tokens()->Add(output.tokens.begin(), output.tokens.end());
    event.mutable_text()->append(output.text);
    for (const auto& logprob : output.logprobs) *event.add_logprobs() = message_of(logprob);
    CHECK(event.logprobs_size() == 0 || event.logprobs_size() == event.tokens_size());
  }
  void operator()(const Finished& finished) const {
    CHECK(!has_end(event));
    *event.mutable_finished() = message_of(finished);
  }
  void operator()(const Failed& failed) const {
    CHECK(!has_end(event));
    *event.mutable_failed() = to_message(failed.error);
  }
};

}  // namespace

// Error texts quote system messages and file names, which need not be UTF-8.
Failure to_message(const Error& error) {
  Failure failure;
  failure.set_code(static_cast<uint32_t>(error.code));
  failure.set_message(replace_broken_utf8(error.message));
  failure.set_field(replace_broken_utf8(error.field));
  failure.set_retry_after_s(static_cast<uint32_t>(std::clamp<int64_t>(error.retry_after.count(), 0, UINT32_MAX)));
  return failure;
}

Error from_message(const Failure& failure) {
  const bool known = failure.code() <= static_cast<uint32_t>(kLastErrorCode);
  return {known ? static_cast<ErrorCode>(failure.code()) : ErrorCode::protocol, failure.message(), failure.field(),
          std::chrono::seconds(failure.retry_after_s())};
}

void append(const GenerationFact& fact, GenerationEvent& event) { std::visit(AppendTo{event}, fact); }

Result<std::vector<GenerationFact>> facts_of(const GenerationEvent& event) {
  std::vector<GenerationFact> facts;
  if (event.accepted()) facts.emplace_back(Accepted{});
  if (event.has_started()) facts.emplace_back(Started{event.started().cached_tokens()});
  if (has_output(event)) {
    auto output = output_of(event);
    if (!output) return std::unexpected(output.error());
    facts.emplace_back(*std::move(output));
  }
  if (event.has_finished() && event.has_failed()) {
    return fail(ErrorCode::protocol, "a generation finished and failed at once", "failed");
  }
  if (event.has_finished()) {
    auto finished = finished_of(event.finished());
    if (!finished) return std::unexpected(finished.error());
    facts.emplace_back(*std::move(finished));
  }
  if (event.has_failed()) facts.emplace_back(Failed{from_message(event.failed())});
  return facts;
}

}  // namespace sluice::proto
