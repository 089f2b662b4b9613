// A runtime owns one loaded model and knows sequences and tokens, nothing of requests, sampling or sockets. The engine
// decides what it is fed; an adapter (adapters/*) or the fake implements it. Every method has a conformance test
// (runtime/conformance.h).
//
// Thread: step, except abort_step(). Lifetime: the worker's, from load to exit.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/time.h"
#include "core/core.h"

namespace sluice {

// likeliest: of the last row only its likeliest token, found where the logits are, so that no row is read back. Needs
// Capabilities::device_sampling.
enum class LogitsWanted : uint8_t { none, last, all, likeliest };

// Some consecutive tokens of one sequence. `first` must equal computed(seq): no gaps, no repeats.
struct Feed {
  SequenceId seq;
  std::span<const Token> tokens;
  Position first = 0;
  LogitsWanted logits = LogitsWanted::none;
};

// Takes logits rows as a step produces them, in the order of the feeds. A row has `vocabulary` floats and is valid only
// during the call. A sink whose feeds want no likeliest token is given none.
class LogitsSink {
 public:
  virtual ~LogitsSink() = default;
  virtual void on_logits(SequenceId seq, Position position, std::span<const float> row) = 0;
  // Of equals, any; none where no logit of the row is a number above minus infinity.
  virtual void on_likeliest(SequenceId seq, Position position, std::optional<Token> token);
};

// True, or the reason why not, in words.
struct Capability {
  bool holds = false;
  std::string reason;  // empty where it holds
  static Capability yes() { return {true, {}}; }
  static Capability no(std::string why) { return {false, std::move(why)}; }
};

enum class CopyCost : uint8_t { free, memcpy_prefix, memcpy_window, none };
enum class TruncateReach : uint8_t { anywhere, last_n, nowhere };

struct Capabilities {
  uint32_t sequences = 0;
  uint32_t window = 0;       // tokens of one sequence
  uint32_t vocabulary = 0;   // tokens; also the width of a logits row
  uint32_t call_tokens = 0;  // tokens of one step() at most
  uint32_t pass_tokens = 0;  // tokens of one pass at most
  uint64_t kv_bytes_per_token = 0;
  std::vector<Token> end_tokens;  // each ends an answer
  Duration row_time{};            // a prompt's row took this at load; 0: not measured
  CopyCost copy = CopyCost::none;
  TruncateReach truncate = TruncateReach::nowhere;
  uint32_t truncate_last_n = 0;
  Capability equal_rows_per_pass;    // holds: a pass takes the same number of rows of every sequence in it
  Capability adjacent_ids_per_pass;  // holds: a pass takes only consecutive sequence ids
  Capability mixed_passes;           // holds: prefill and decode rows share a pass
  Capability export_import;
  Capability device_sampling;  // LogitsWanted::likeliest
  Capability draft_heads;
  Capability lora;
  Capability embeddings;
  // Exactness, proved by the self-check at load (DESIGN promise 5).
  Capability alone_equals_beside;    // a sequence's logits do not depend on its neighbours in a pass
  Capability chunk_equals_chunk;     // nor on where a prompt is cut, each piece >= 2 rows
  Capability decode_equals_prefill;  // nor on single rows against wider ones
  Capability copied_equals_computed;
  Capability imported_equals_computed;
};

struct PassCost {
  uint32_t passes = 0;
};

struct MemoryUse {
  uint64_t weights_bytes = 0;
  uint64_t kv_bytes = 0;
  uint64_t compute_bytes = 0;
};

// KV of one sequence in a form that another sequence of the same model and settings can take.
struct Snapshot {
  Position tokens = 0;
  std::vector<std::byte> bytes;
};

class Runtime {
 public:
  virtual ~Runtime() = default;
  virtual const Capabilities& capabilities() const = 0;
  // How step(feeds) would be cut into passes.
  virtual PassCost passes_of(std::span<const Feed> feeds) const = 0;
  // Computes KV for all feeds, and hands the wanted logits to `sink`. Feeds are of different sequences.
  //   invalid:  a feed breaks the rules above; nothing changed
  //   capacity: no room; nothing changed, plan again
  //   fault:    these sequences are lost (drop them), others are not
  //   cancelled: abort_step() was called; computed() is the truth
  //   fatal:    the worker must exit
  virtual Result<void> step(std::span<const Feed> feeds, LogitsSink& sink) = 0;
  virtual Position computed(SequenceId seq) const = 0;
  // `to` becomes the first `upto` tokens of `from`. 0 < upto <= computed(from); from != to.
  virtual Result<void> copy(SequenceId from, SequenceId to, Position upto) = 0;
  // Keeps the first `upto` tokens. unsupported where this runtime cannot cut there; then nothing changed.
  virtual Result<void> truncate(SequenceId seq, Position upto) = 0;
  virtual Result<Snapshot> export_kv(SequenceId seq, Position upto) = 0;
  virtual Result<void> import_kv(SequenceId seq, const Snapshot& snapshot) = 0;
  virtual void drop(SequenceId seq) = 0;  // computed(seq) == 0 afterwards
  virtual MemoryUse memory() const = 0;
  virtual void abort_step() = 0;  // Thread: any. The step that runs, or the next one, returns `cancelled` soon
};

}  // namespace sluice
