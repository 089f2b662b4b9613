// What stands in every chunk and reply of one request, in OpenAI's two dialects. Refuses to know what is answered.
// Thread: any.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::api::openai {

enum class Endpoint : uint8_t { chat, completions };

struct ReplyHead {
  Endpoint endpoint = Endpoint::chat;
  std::string id;  // "chatcmpl-..." or "cmpl-..."
  int64_t created = 0;
  std::string model;
  std::string fingerprint;
  bool include_usage = false;  // of a stream: stream_options.include_usage
  bool logprobs = false;
};

// {"id":..,"object":..,"created":..,"model":..,"system_fingerprint":..,  open for the rest.
std::string opening(const ReplyHead& head, bool chunk);

}  // namespace sluice::api::openai
