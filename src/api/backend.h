// What the api needs from the daemon, and nothing more: prompts made of text, generations started and cancelled, facts
// about the served model, what lives, figures for /health and /metrics, and the three things a test must decide itself
// (time, wall clock, randomness). daemon/ implements it over CodecClient, Generations and WorkerClient; tests with a
// fake.
// Refuses to know HTTP, JSON and processes.
//
// Thread: core. Lifetime: the daemon's; outlives the http::Server and every Exchange.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "api/live_view.h"
#include "base/error.h"
#include "base/ids.h"
#include "base/time.h"
#include "codec/codec.h"
#include "core/core.h"

namespace sluice::api {

// The same type as proto::GenerationFact, spelled here so that the api does not compile protobuf.
using Fact = std::variant<Accepted, Started, Output, Finished, Failed>;

// Known once the vocabulary is open and the memory plan is made, and from then on for the daemon's life.
struct ModelShape {
  uint32_t window = 0;      // tokens of one generation, prompt and answer together
  uint32_t vocabulary = 0;  // tokens; ids are 0 .. vocabulary-1
};

struct ModelAlias {
  std::string name;
  std::optional<Class> cls;  // of requests that use this name and name no class
};

struct ModelFacts {
  std::string id;                      // --name, or the file's stem; what replies call the model
  std::vector<ModelAlias> aliases;     // accepted in `model` beside the id
  int64_t created = 0;                 // Unix seconds: the model file's modification time
  std::optional<uint32_t> max_tokens;  // --max-tokens: of an answer whose request names none
  std::string fingerprint;             // system_fingerprint: our build, the runtime's version
  std::optional<ModelShape> shape;     // absent: the codec has not opened the model yet; POSTs get `unavailable`
};

enum class Readiness : uint8_t {
  loading,   // the worker is being started (the first time or again): requests are taken and wait
  ready,     // the worker takes generations
  draining,  // SIGTERM was received; whether new requests are still taken is start()'s answer
  failed,    // the model cannot be loaded
};
std::string_view name_of(Readiness readiness);  // "loading", ...; `ready` reads "ok", as llama-server has it

// Figures of one moment. Totals count since the daemon started.
struct StatusSnapshot {
  Readiness readiness = Readiness::loading;
  uint32_t lanes = 0;
  uint32_t lanes_busy = 0;
  uint32_t waiting = 0;  // generations without a lane
  uint64_t prompt_tokens = 0;
  uint64_t cached_tokens = 0;
  uint64_t completion_tokens = 0;
  double tokens_per_second = 0;  // completion tokens, mean of the last 10 s
  uint64_t resident_bytes = 0;   // daemon, codec and worker processes together
  uint64_t worker_starts = 0;
  uint64_t worker_deaths = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual const ModelFacts& model() const = 0;

  // As supervisor::CodecClient: calls back once, never from within the call. A client that leaves meanwhile does not
  // end the call; its answer is then dropped by the api.
  using PromptCallback = std::move_only_function<void(Result<std::vector<Token>>)>;
  virtual void render(std::vector<ChatMessage> messages, bool add_generation_prompt, PromptCallback done) = 0;
  virtual void tokenize(std::string text, bool add_special, bool parse_special, PromptCallback done) = 0;

  // As generation::Generations: facts in order, ending with Finished or Failed; none after cancel() and none from
  // within start(). Error (nothing started): overloaded, unavailable. The spec's seed is set by the api.
  using Listener = std::function<void(const Fact&)>;
  virtual Result<GenerationId> start(GenerationSpec spec, Listener listener) = 0;
  virtual void cancel(GenerationId id) = 0;   // ended or unknown ids are ignored; allowed from within a listener
  virtual void wait_on(GenerationId id) = 0;  // it may wait for its lane as long as it takes

  // Both are answered from memory, without asking a process: they stay fast while steps run.
  virtual StatusSnapshot status() const = 0;
  virtual std::string metrics_text() = 0;  // telemetry's registry, rendered as Prometheus text 0.0.4

  // What lives, with the worker's word where it gives it within limits::look_time_max. May call back at once. One at a
  // time: the next when it has called back.
  using ViewCallback = std::function<void(const LiveView&)>;
  virtual void look(ViewCallback done) = 0;

  virtual TimePoint now() const = 0;
  virtual int64_t unix_seconds() const = 0;
  virtual uint64_t random() = 0;  // for ids and absent seeds; all 64 bits
};

}  // namespace sluice::api
