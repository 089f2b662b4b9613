// The facts of one request's generations in OpenAI's words: SSE chunks as they happen, or one reply in the end. Pure:
// facts in, text out. Refuses to know HTTP.
//
// A stream: for each choice chunks with its text, the first of a chat also with the role, then one with finish_reason
// and `timings`; after the last, with include_usage, one with `usage` and no choices; then [DONE]. A stream that fails
// ends with {"error":...} and without [DONE]. Thread: any one at a time. Lifetime: one request's.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "api/answer_form.h"
#include "api/openai/form.h"

namespace sluice::api::openai {

class Stream final : public AnswerForm {
 public:
  Stream(ReplyHead head, size_t choices);

  std::string output(uint32_t index, const Output& output) override;
  std::string finished(uint32_t index, const Finished& finished) override;
  std::string end(const Usage& usage) override;
  std::string failed(const Error& error) override;
  std::string whole(std::span<const AnswerChoice> choices, const Usage& usage) override;
  http::Response refusal(const Error& error) override;

 private:
  struct ChoiceState {
    bool role_sent = false;
    size_t text_offset = 0;  // characters of the tokens whose logprobs were sent
  };
  std::string chunk(uint32_t index, std::string_view text, std::span<const TokenLogprob> logprobs,
                    const Finished* finished);
  void append_logprobs(std::string& out, ChoiceState& state, std::span<const TokenLogprob> logprobs) const;
  void append_choice(std::string& out, size_t index, const AnswerChoice& choice);

  const ReplyHead head_;
  const std::string chunk_opening_;
  std::vector<ChoiceState> choices_;
};

}  // namespace sluice::api::openai
