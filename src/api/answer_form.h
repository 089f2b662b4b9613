// What a request asks for, in no dialect's words, and how a dialect words what comes of it. An Answer runs the one and
// speaks through the other. Refuses to know HTTP's bytes and the daemon. Thread: core.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "codec/codec.h"
#include "core/core.h"
#include "http/http.h"

namespace sluice::api {

using Conversation = std::vector<ChatMessage>;
using Prompt = std::variant<Conversation, std::string, std::vector<Token>>;

// Each prompt gets `n` answers; the answer with number p * n + k is the k-th of prompt p.
struct Wish {
  std::vector<Prompt> prompts;  // at least one
  std::string prompt_field;     // which request field an error about a prompt names
  uint32_t n = 1;
  SamplingParams sampling;             // its seed is set from `seed`
  std::optional<uint64_t> seed;        // absent: chosen by the daemon
  std::optional<uint32_t> max_tokens;  // absent: the daemon's default, or the rest of the window
  bool ignore_eos = false;
  std::vector<std::string> stop;
  bool stream = false;
  // For whom it is.
  Class cls = Class::agent;
  bool class_named = false;
  uint64_t session = 0;
  std::optional<Duration> time;  // for the whole answer, from the request's receipt
};

// One whole answer.
struct AnswerChoice {
  std::string text;
  std::vector<TokenLogprob> logprobs;
  Finished finished;
};

// Texts of a dialect. Called in the order of a generation's facts; `index` is the answer's number.
class AnswerForm {
 public:
  virtual ~AnswerForm() = default;
  // Of a stream: what each call returns is sent as it is; empty: nothing to send.
  virtual std::string output(uint32_t index, const Output& output) = 0;
  virtual std::string finished(uint32_t index, const Finished& finished) = 0;
  virtual std::string end(const Usage& usage) = 0;
  virtual std::string failed(const Error& error) = 0;  // the last words of a stream that has begun
  // Of a reply in one piece.
  virtual std::string whole(std::span<const AnswerChoice> choices, const Usage& usage) = 0;
  virtual http::Response refusal(const Error& error) = 0;
};

}  // namespace sluice::api
