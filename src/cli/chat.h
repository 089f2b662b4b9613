// A conversation as `sluice run` holds it: what is sent for the next turn, and what the server's events say.
// Refuses to know sockets and terminals. Thread: one at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "config/run_options.h"

namespace sluice::cli {

class Chat final {
 public:
  Chat(config::RunOptions options, std::string model);

  // Begins a turn: the body of the request that answers it.
  std::string ask(std::string text);
  // An event of the answer: the text to show, perhaps none. Error: the server's own, or `protocol`.
  Result<std::string> on_event(std::string_view data);
  bool answer_is_whole() const { return whole_; }
  // Ends the turn. What came of an answer is kept, so that the next turn can refer to it; without any the turn is
  // forgotten.
  void end_turn();
  void forget_turn();  // it failed: as if it had not been asked

 private:
  struct Message {
    std::string role;
    std::string content;
  };
  config::RunOptions options_;
  std::string model_;
  std::vector<Message> messages_;
  std::string answer_;
  bool whole_ = false;
};

// The message in an error reply's body, or the body itself where it is none of ours.
std::string error_message(std::string_view body);
// The first model of a /v1/models reply. Error: protocol.
Result<std::string> first_model(std::string_view body);

}  // namespace sluice::cli
