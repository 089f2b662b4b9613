// The nouns every folder shares, as plain values: tokens, sampling parameters, what a generation is asked for and what
// it says. Refuses to know processes, HTTP, JSON and runtimes. Thread: any (values).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/ids.h"
#include "base/time.h"

namespace sluice {

using Token = int32_t;
using Position = int32_t;  // index of a token within its sequence, from 0

// Who goes first. Ordered: a lower value is sooner.
enum class Class : uint8_t { interactive, completion, agent, background };
inline constexpr Class kClasses[] = {Class::interactive, Class::completion, Class::agent, Class::background};
std::string_view name_of(Class cls);  // "interactive", as written above
std::optional<Class> find_class(std::string_view name);

// How a token is drawn. Defaults are llama-server's, so that a client that names nothing gets the answers it knows.
struct SamplingParams {
  uint64_t seed = 0;            // chosen by the daemon where the request has none
  float temperature = 0.8f;     // 0: greedy (argmax, lowest id on a tie)
  float top_p = 0.95f;          // 1: off
  float min_p = 0.05f;          // 0: off
  uint32_t top_k = 40;          // 0: off
  float presence_penalty = 0;   // over the tokens of the answer, as OpenAI has it
  float frequency_penalty = 0;  // over the tokens of the answer
  float repeat_penalty = 1.0f;  // over the last repeat_last_n tokens of prompt and answer, as llama.cpp has it
  uint32_t repeat_last_n = 64;
  std::vector<std::pair<Token, float>> logit_bias;  // sorted by token, each once
  std::optional<uint32_t> top_logprobs;             // absent: no logprobs; 0: only the chosen token's
};

// What a worker is asked to produce. `choice` separates the draws of the n answers of one request.
struct GenerationSpec {
  std::vector<Token> prompt;
  SamplingParams sampling;
  uint32_t choice = 0;
  uint32_t max_tokens = 0;        // >= 1
  bool ignore_eos = false;        // end tokens neither end the answer nor appear in its text
  std::vector<std::string> stop;  // the answer ends before the first of these; none is empty
  Class cls = Class::agent;
  // Whether the request, its model name or its key named the class. Where none did, it is `cls` that bounds the
  // generation, and the service it received that orders it.
  bool class_named = false;
  uint32_t key = 0;                   // number of its API key, from 1; 0: none
  uint64_t session = 0;               // says which generations belong together; 0: it names no session
  std::optional<Duration> time_left;  // for the whole answer, from now on; absent: as long as it takes
  // Let in only where its first token may come within time_left, and its lane within lane_within.
  bool refuse_late = false;
  std::optional<Duration> lane_within;
};

enum class FinishReason : uint8_t {
  stop,      // an end token, or a stop string
  length,    // max_tokens, or the window is full
  deadline,  // its time was over; what was said until then stands
};
std::string_view name_of(FinishReason reason);  // "stop", as written above

// One token with its probability under the model (natural logarithm; before temperature, penalties and truncation).
struct TokenProb {
  Token token = 0;
  float logprob = 0;
};

// A drawn token; `top` is filled only where top_logprobs asked, most probable first.
struct Choice {
  Token token = 0;
  float logprob = 0;
  std::vector<TokenProb> top;
};

// A token's share in the reply's `logprobs`: texts are raw bytes, and may be part of a character.
struct TokenLogprob {
  Token token = 0;
  float logprob = 0;
  std::string bytes;
  struct Alternative {
    Token token = 0;
    float logprob = 0;
    std::string bytes;
  };
  std::vector<Alternative> top;
};

struct Usage {
  uint32_t prompt_tokens = 0;
  uint32_t cached_tokens = 0;  // of the prompt: KV taken over instead of computed
  uint32_t completion_tokens = 0;
};

// Where an answer's time went, as the worker measured it.
struct Timings {
  Duration queued{};   // submitted -> lane
  Duration prefill{};  // lane -> first token
  Duration decode{};   // first token -> last token
};

// Facts about one generation, in the order they happen: Accepted, Started, Output*, then exactly one of Finished,
// Failed.
struct Accepted {};
struct Started {
  uint32_t cached_tokens = 0;
};
struct Output {
  std::vector<Token> tokens;           // of this step; may be empty when held-back text is released
  std::string text;                    // whole UTF-8 characters; may be empty while text is held back
  std::vector<TokenLogprob> logprobs;  // one for each of `tokens` where asked for
};
struct Finished {
  FinishReason reason = FinishReason::stop;
  std::string stop_string;  // the one that matched; empty for an end token
  Usage usage;
  Timings timings;
};
struct Failed {
  Error error;
};

}  // namespace sluice
