#include "cli/run.h"

#include <unistd.h>

#include <cstdio>
#include <optional>

#include "base/check.h"
#include "cli/conversation.h"
#include "cli/input.h"
#include "cli/interrupts.h"
#include "cli/own_server.h"

namespace sluice::cli {
namespace {

constexpr int kFailed = 1;
constexpr int kInterrupted = 130;  // as a shell says it

void say(const std::string& what) { std::fprintf(stderr, "%s\n", what.c_str()); }

// The loop of turns; Ctrl-C twice without a line in between ends it.
class Session final {
 public:
  Session(Conversation conversation, Interrupts& interrupts)
      : conversation_(std::move(conversation)), interrupts_(interrupts), input_(STDIN_FILENO, interrupts) {}

  int hold() {
    for (;;) {
      prompt();
      const Input::Next next = input_.next();
      if (std::holds_alternative<Input::End>(next)) return code_;
      if (const auto* line = std::get_if<std::string>(&next)) {
        pressed_ = false;
        if (!line->empty() && !turn(*line)) return kFailed;
      } else if (pressed_) {
        return kInterrupted;
      } else {
        pressed_ = true;
        say("\nCtrl-C again, or Ctrl-D, ends the chat");
      }
    }
  }

 private:
  void prompt() const {
    if (!input_.is_terminal()) return;
    std::fputs("> ", stdout);
    std::fflush(stdout);
  }

  // False: there is no server to go on with.
  bool turn(const std::string& text) {
    TurnEnd end = TurnEnd::failed;
    pressed_ = interrupts_.during([&](std::stop_token stop) { end = conversation_.turn(text, std::move(stop)); });
    switch (end) {
      case TurnEnd::answered:
      case TurnEnd::interrupted: return true;
      case TurnEnd::failed:
        if (!input_.is_terminal()) code_ = kFailed;
        return true;
      case TurnEnd::server_gone: return false;
    }
    UNREACHABLE();
  }

  Conversation conversation_;
  Interrupts& interrupts_;
  Input input_;
  bool pressed_ = false;  // Ctrl-C, since the last line
  int code_ = 0;
};

int chat_with(const std::string& url, const config::RunOptions& options, Interrupts& interrupts) {
  std::optional<Result<Conversation>> opened;
  const bool pressed = interrupts.during(
      [&](std::stop_token stop) { opened.emplace(Conversation::open(url, options, std::move(stop))); });
  if (pressed) return kInterrupted;
  if (!*opened) {
    say("sluice run: " + opened->error().message);
    return kFailed;
  }
  return Session(std::move(**opened), interrupts).hold();
}

}  // namespace

int run(const config::RunOptions& options, const std::string& executable) {
  if (!options.url.empty()) {
    Interrupts interrupts;
    return chat_with(options.url, options, interrupts);
  }
  int exit_code = kFailed;
  Result<OwnServer> server = OwnServer::start(executable, options, exit_code);
  if (!server) {
    say("sluice run: " + server.error().message);
    return exit_code;
  }
  Interrupts interrupts;
  const int code = chat_with(server->url(), options, interrupts);
  server->end();
  return code;
}

}  // namespace sluice::cli
