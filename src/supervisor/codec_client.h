// The daemon's side of one model's codec process: starts it, asks it, and replaces it when it dies, hangs or sends
// garbage. Rendering is without side effects, so a call whose process died is asked once more of the next process; a
// call that two processes did not answer fails. Refuses to know HTTP and generations.
//
// Thread: core. Lifetime: the daemon's. Callbacks run on core, never from within the call that takes them.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "codec/codec.h"
#include "core/core.h"
#include "supervisor/counts.h"
#include "supervisor/timing.h"

namespace sluice::supervisor {

class CodecClient final {
 public:
  struct Options {
    std::string executable;  // resolved once, at start
    std::string model_path;
    std::string expected_build;  // Hello::build must equal it
    Duration open_max = limits::vocabulary_time_max;
    Duration call_max = limits::codec_call_time_max;  // one answer
    Duration wait_max = limits::ready_wait_max;       // for a process that can be asked
    ProcessTiming timing;
    std::function<void(std::string_view line)> on_stderr_line;  // may be empty; may not call this client
    std::function<void(const Error& death)> on_lost = {};       // may be empty; may not call this client
  };
  using PromptCallback = std::move_only_function<void(Result<std::vector<Token>>)>;
  using ReadyCallback = std::move_only_function<void(Result<VocabularyFacts>)>;

  CodecClient(boost::asio::io_context& core, Options options);
  ~CodecClient();
  CodecClient(const CodecClient&) = delete;
  CodecClient& operator=(const CodecClient&) = delete;

  // Calls back once with the facts, or with why the model's vocabulary cannot be opened (then nothing is retried).
  void start(ReadyCallback ready);
  // Error: what is wrong with the text (as the codec says), overloaded, too_large, unavailable (no process for too
  // long, or stopped), worker_lost (two processes did not answer).
  void render(std::vector<ChatMessage> messages, bool add_generation_prompt, PromptCallback done);
  void tokenize(std::string text, bool add_special, bool parse_special, PromptCallback done);
  void stop();  // kills the process; outstanding calls fail with `unavailable`

  ProcessCounts counts() const;
  int pid() const;  // 0 while there is none
  uint64_t resident_bytes() const;

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;  // with the callbacks the loop holds: these two own it
};

}  // namespace sluice::supervisor
