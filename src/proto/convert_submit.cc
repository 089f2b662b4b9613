// Submit, the one message that carries what a client asked for: every number of it is checked here.
#include <cmath>

#include "base/limits.h"
#include "proto/convert.h"

namespace sluice::proto {
namespace {

Sampling message_of(const SamplingParams& params) {
  Sampling message;
  message.set_seed(params.seed);
  message.set_temperature(params.temperature);
  message.set_top_p(params.top_p);
  message.set_min_p(params.min_p);
  message.set_top_k(params.top_k);
  message.set_presence_penalty(params.presence_penalty);
  message.set_frequency_penalty(params.frequency_penalty);
  message.set_repeat_penalty(params.repeat_penalty);
  message.set_repeat_last_n(params.repeat_last_n);
  for (const auto& [token, bias] : params.logit_bias) {
    LogitBias* entry = message.add_logit_bias();
    entry->set_token(token);
    entry->set_bias(bias);
  }
  if (params.top_logprobs) message.set_top_logprobs(*params.top_logprobs);
  return message;
}

std::unexpected<Error> refuse(const char* field, const char* what) {
  return fail(ErrorCode::protocol, std::string("Submit: ") + what, field);
}

bool within(float value, float low, float high) { return low <= value && value <= high; }  // false for NaN

Result<void> check_numbers(const Sampling& message) {
  if (!std::isfinite(message.temperature()) || message.temperature() < 0) {
    return refuse("temperature", "needs a finite number from 0");
  }
  if (!within(message.top_p(), 0, 1)) return refuse("top_p", "needs a number from 0 to 1");
  if (!within(message.min_p(), 0, 1)) return refuse("min_p", "needs a number from 0 to 1");
  if (!std::isfinite(message.presence_penalty())) return refuse("presence_penalty", "needs a finite number");
  if (!std::isfinite(message.frequency_penalty())) return refuse("frequency_penalty", "needs a finite number");
  if (!std::isfinite(message.repeat_penalty()) || message.repeat_penalty() <= 0) {
    return refuse("repeat_penalty", "needs a finite number over 0");
  }
  if (message.repeat_last_n() > limits::repeat_last_n_max) return refuse("repeat_last_n", "is over its limit");
  if (message.has_top_logprobs() && message.top_logprobs() > limits::top_logprobs_max) {
    return refuse("top_logprobs", "is over its limit");
  }
  return {};
}

// Minus infinity is a bias: it bans the token.
Result<std::vector<std::pair<Token, float>>> bias_of(const Sampling& message) {
  if (message.logit_bias_size() > static_cast<int>(limits::logit_bias_entries_max)) {
    return refuse("logit_bias", "has too many entries");
  }
  std::vector<std::pair<Token, float>> biases;
  Token last = -1;
  for (const LogitBias& entry : message.logit_bias()) {
    if (entry.token() <= last) return refuse("logit_bias", "needs tokens from 0, sorted, each once");
    if (std::isnan(entry.bias()) || entry.bias() == INFINITY)
      return refuse("logit_bias", "needs numbers below infinity");
    biases.emplace_back(last = entry.token(), entry.bias());
  }
  return biases;
}

Result<SamplingParams> sampling_of(const Sampling& message) {
  if (const auto checked = check_numbers(message); !checked) return std::unexpected(checked.error());
  auto biases = bias_of(message);
  if (!biases) return std::unexpected(biases.error());
  SamplingParams params;
  params.seed = message.seed();
  params.temperature = message.temperature();
  params.top_p = message.top_p();
  params.min_p = message.min_p();
  params.top_k = message.top_k();
  params.presence_penalty = message.presence_penalty();
  params.frequency_penalty = message.frequency_penalty();
  params.repeat_penalty = message.repeat_penalty();
  params.repeat_last_n = message.repeat_last_n();
  params.logit_bias = *std::move(biases);
  if (message.has_top_logprobs()) params.top_logprobs = message.top_logprobs();
  return params;
}

// A deadline that had passed is not sent: the daemon says so itself.
Result<void> check_time(const Submit& submit) {
  const auto possible = [](uint64_t us, Duration most) { return us > 0 && us <= us_of(most); };
  if (submit.has_time_left_us() && !possible(submit.time_left_us(), limits::deadline_max))
    return refuse("time_left_us", "is 0 or over its limit");
  if (submit.has_lane_within_us() && !possible(submit.lane_within_us(), limits::queue_time_max))
    return refuse("lane_within_us", "is 0 or over its limit");
  return {};
}

Result<void> check_stops(const Submit& submit) {
  if (submit.stop_size() > static_cast<int>(limits::stop_strings_max)) return refuse("stop", "has too many strings");
  for (const std::string& stop : submit.stop()) {
    if (stop.empty() || stop.size() > limits::stop_string_bytes_max) return refuse("stop", "is empty or too long");
  }
  return {};
}

Result<void> check_request(const Submit& submit) {
  if (submit.generation() == 0) return refuse("generation", "0 names none");
  if (submit.choice() >= limits::choices_max) return refuse("choice", "is over its limit");
  if (submit.max_tokens() == 0 || submit.max_tokens() > limits::max_tokens_max) {
    return refuse("max_tokens", "is 0 or over its limit");
  }
  if (submit.class_() > static_cast<uint32_t>(Class::background)) return refuse("class", "is unknown");
  if (const auto checked = check_time(submit); !checked) return checked;
  return check_stops(submit);
}

}  // namespace

Submit to_message(GenerationId id, const GenerationSpec& spec) {
  Submit message;
  message.set_generation(id.raw);
  message.mutable_prompt()->Add(spec.prompt.begin(), spec.prompt.end());
  *message.mutable_sampling() = message_of(spec.sampling);
  message.set_choice(spec.choice);
  message.set_max_tokens(spec.max_tokens);
  message.set_ignore_eos(spec.ignore_eos);
  message.mutable_stop()->Add(spec.stop.begin(), spec.stop.end());
  message.set_class_(static_cast<uint32_t>(spec.cls));
  message.set_class_named(spec.class_named);
  message.set_key(spec.key);
  message.set_session(spec.session);
  if (spec.time_left) message.set_time_left_us(std::max<uint64_t>(1, us_of(*spec.time_left)));
  message.set_refuse_late(spec.refuse_late);
  if (spec.lane_within) message.set_lane_within_us(std::max<uint64_t>(1, us_of(*spec.lane_within)));
  return message;
}

// Whether the prompt fits, and whether its tokens exist, only the engine knows: there they are the client's error.
Result<Submission> from_message(const Submit& submit) {
  if (const auto checked = check_request(submit); !checked) return std::unexpected(checked.error());
  auto sampling = sampling_of(submit.sampling());
  if (!sampling) return std::unexpected(sampling.error());
  GenerationSpec spec;
  spec.prompt.assign(submit.prompt().begin(), submit.prompt().end());
  spec.sampling = *std::move(sampling);
  spec.choice = submit.choice();
  spec.max_tokens = submit.max_tokens();
  spec.ignore_eos = submit.ignore_eos();
  spec.stop.assign(submit.stop().begin(), submit.stop().end());
  spec.cls = static_cast<Class>(submit.class_());
  spec.class_named = submit.class_named();
  spec.key = submit.key();
  spec.session = submit.session();
  if (submit.has_time_left_us()) spec.time_left = std::chrono::microseconds(submit.time_left_us());
  spec.refuse_late = submit.refuse_late();
  if (submit.has_lane_within_us()) spec.lane_within = std::chrono::microseconds(submit.lane_within_us());
  return Submission{GenerationId{submit.generation()}, std::move(spec)};
}

}  // namespace sluice::proto
