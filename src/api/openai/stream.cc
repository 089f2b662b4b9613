#include "api/openai/stream.h"

#include "api/json_text.h"
#include "api/openai/errors.h"
#include "api/openai/figures.h"
#include "api/openai/logprobs.h"
#include "base/check.h"

namespace sluice::api::openai {
namespace {

// A delta that closes a chat choice which has said something is empty.
void append_delta(std::string& out, std::string_view text, bool with_role, bool with_content) {
  JsonObject delta(out);
  if (with_role) delta.text("role", "assistant");
  if (with_content) delta.text("content", text);
  delta.end();
}

}  // namespace

Stream::Stream(ReplyHead head, size_t choices)
    : head_(std::move(head)), chunk_opening_("data: " + opening(head_, true) + "\"choices\":["), choices_(choices) {}

std::string Stream::output(uint32_t index, const Output& output) {
  if (output.text.empty() && output.logprobs.empty()) return {};  // text is held back
  return chunk(index, output.text, output.logprobs, nullptr);
}

std::string Stream::finished(uint32_t index, const Finished& finished) { return chunk(index, {}, {}, &finished); }

std::string Stream::chunk(uint32_t index, std::string_view text, std::span<const TokenLogprob> logprobs,
                          const Finished* finished) {
  ChoiceState& state = choices_[index];
  std::string out = chunk_opening_;
  JsonObject choice(out);
  choice.integer("index", index);
  switch (head_.endpoint) {
    case Endpoint::chat:
      append_delta(choice.key("delta"), text, !state.role_sent, !finished || !state.role_sent);
      state.role_sent = true;
      break;
    case Endpoint::completions: choice.text("text", text); break;
  }
  append_logprobs(choice.key("logprobs"), state, logprobs);
  if (finished) {
    choice.text("finish_reason", finish_reason(finished->reason)).end();
  } else {
    choice.raw("finish_reason", "null").end();
  }
  out += ']';
  if (head_.include_usage) out += ",\"usage\":null";
  if (finished) out.append(",\"timings\":").append(timings_json(finished->usage, finished->timings));
  return out += "}\n\n";
}

void Stream::append_logprobs(std::string& out, ChoiceState& state, std::span<const TokenLogprob> logprobs) const {
  if (!head_.logprobs || logprobs.empty()) {
    out += "null";
    return;
  }
  switch (head_.endpoint) {
    case Endpoint::chat: out += chat_logprobs(logprobs); return;
    case Endpoint::completions: out += completion_logprobs(logprobs, state.text_offset); return;
  }
  UNREACHABLE();
}

std::string Stream::end(const Usage& usage) {
  std::string out;
  if (head_.include_usage) out = chunk_opening_ + "],\"usage\":" + usage_json(usage) + "}\n\n";
  return out += "data: [DONE]\n\n";
}

std::string Stream::failed(const Error& error) {
  return std::string("data: ").append(error_body(status_of(error.code), error)).append("\n\n");
}

std::string Stream::whole(std::span<const AnswerChoice> choices, const Usage& usage) {
  std::string out = opening(head_, false);
  out += "\"choices\":[";
  for (size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) out += ',';
    append_choice(out, i, choices[i]);
  }
  const Finished& first = choices.front().finished;  // llama-server's object is of one answer: the first
  out.append("],\"usage\":").append(usage_json(usage));
  out.append(",\"timings\":").append(timings_json(first.usage, first.timings));
  return out += '}';
}

void Stream::append_choice(std::string& out, size_t index, const AnswerChoice& answer) {
  JsonObject choice(out);
  choice.integer("index", static_cast<int64_t>(index));
  switch (head_.endpoint) {
    case Endpoint::chat: append_delta(choice.key("message"), answer.text, true, true); break;
    case Endpoint::completions: choice.text("text", answer.text); break;
  }
  append_logprobs(choice.key("logprobs"), choices_[index], answer.logprobs);
  choice.text("finish_reason", finish_reason(answer.finished.reason)).end();
}

http::Response Stream::refusal(const Error& error) { return error_response(error); }

}  // namespace sluice::api::openai
