// Asks a server turn by turn and writes its answers as they come. Refuses to know where turns come from. Thread: main.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "cli/chat.h"
#include "config/run_options.h"
#include "http/http.h"

namespace sluice::cli {

enum class TurnEnd : uint8_t {
  answered,
  interrupted,  // stopped by the user; what came is kept
  failed,       // the server refused or broke off; it can be asked again
  server_gone,  // it cannot be reached
};

class Conversation final {
 public:
  // Error: the server at `url` cannot be reached, or refuses.
  static Result<Conversation> open(const std::string& url, const config::RunOptions& options, std::stop_token stop);

  // Writes the answer to stdout and what went wrong to stderr.
  TurnEnd turn(std::string text, std::stop_token stop);

 private:
  Conversation(std::string url, std::vector<http::Header> headers, Chat chat)
      : url_(std::move(url)), headers_(std::move(headers)), chat_(std::move(chat)) {}
  TurnEnd finish(const Result<int>& status, const std::string& refusal, const std::optional<Error>& broken);

  std::string url_;
  std::vector<http::Header> headers_;
  Chat chat_;
};

}  // namespace sluice::cli
