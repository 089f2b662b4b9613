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
#include <vector>

#include "codec/codec.h"
#include "core/core.h"

namespace sluice::supervisor {

struct ProcessCounts {
  uint64_t starts = 0;
  uint64_t deaths = 0;  // not asked for
};

class CodecClient final {
 public:
  struct Options {
    std::string executable;  // resolved once, at start
    std::string model_path;
    std::string expected_build;  // Hello::build must equal it
  };
  using PromptCallback = std::move_only_function<void(Result<std::vector<Token>>)>;

  CodecClient(boost::asio::io_context& core, Options options);
  ~CodecClient();

  // Calls back once with the facts, or with why the model's vocabulary cannot be opened (then nothing is retried).
  void start(std::move_only_function<void(Result<VocabularyFacts>)> ready);
  void render(std::vector<ChatMessage> messages, bool add_generation_prompt, PromptCallback done);
  void tokenize(std::string text, bool add_special, bool parse_special, PromptCallback done);
  void stop();  // kills the process; outstanding calls fail with `unavailable`

  ProcessCounts counts() const;
  int pid() const;  // 0 while there is none
  uint64_t resident_bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sluice::supervisor
