// A runtime without a model: deterministic, scriptable, strict. A logits row is a pure function of the sequence's
// tokens up to its position, so that whatever is computed twice, copied or resumed can be compared bit by bit. It
// counts what it is fed, breaks down where its script says so, and refuses every misuse that the contract names.
//
// Thread: step, except abort_step() and FakeCounters. Lifetime: its owner's; the counters may outlive it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/time.h"
#include "runtime/passes.h"
#include "runtime/runtime.h"

namespace sluice {

// What happens instead of the n-th call of step(), counted from 1.
enum class FakeFault : uint8_t {
  capacity,  // nothing changes
  fault,     // the call's sequences are lost
  fatal,     // this call and every later one fails
  hang,      // blocks until abort_step()
  freeze,    // blocks for ever, deaf to abort_step()
  crash,     // the process aborts
};

struct ScriptedFault {
  FakeFault kind = FakeFault::capacity;
  uint64_t call = 0;
};

struct FakeCounters {
  explicit FakeCounters(uint32_t sequences) : rows_of(sequences) {}
  std::atomic<uint64_t> calls = 0;
  std::atomic<uint64_t> passes = 0;
  std::atomic<uint64_t> rows = 0;
  std::vector<std::atomic<uint64_t>> rows_of;  // by sequence id
};

// Fills a row for the token after `tokens`, of which `hash` is a digest.
using LogitsRule = std::function<void(std::span<const Token> tokens, uint64_t hash, std::span<float> row)>;

// A few tokens far above the others, an end token among them about once in `end_every` rows.
LogitsRule peaky_logits(std::vector<Token> end_tokens, uint32_t end_every = 64);

// Empty initializers are for those who name some members only: g++ warns of what has none.
// NOLINTBEGIN(readability-redundant-member-init)
struct FakeOptions {
  Capabilities capabilities;
  LogitsRule logits = {};                   // empty: peaky_logits
  Duration call_latency{}, row_latency{};   // spent through `wait`
  std::function<void(Duration)> wait = {};  // empty: a step takes no time
  std::vector<ScriptedFault> faults = {};
  std::shared_ptr<FakeCounters> counters = {};  // empty: its own
};
// NOLINTEND(readability-redundant-member-init)

// What a runtime with plain attention has: everything, llama.cpp's pass rules, exact.
Capabilities fake_capabilities(uint32_t sequences, uint32_t window, uint32_t vocabulary, std::vector<Token> end_tokens);

class FakeRuntime final : public Runtime {
 public:
  explicit FakeRuntime(FakeOptions options);

  const Capabilities& capabilities() const override { return options_.capabilities; }
  PassCost passes_of(std::span<const Feed> feeds) const override;
  Result<void> step(std::span<const Feed> feeds, LogitsSink& sink) override;
  Position computed(SequenceId seq) const override;
  Result<void> copy(SequenceId from, SequenceId to, Position upto) override;
  Result<void> truncate(SequenceId seq, Position upto) override;
  Result<Snapshot> export_kv(SequenceId seq, Position upto) override;
  Result<void> import_kv(SequenceId seq, const Snapshot& snapshot) override;
  void drop(SequenceId seq) override;
  MemoryUse memory() const override;
  void abort_step() override;

  const FakeCounters& counters() const { return *options_.counters; }

 private:
  struct Sequence {
    std::vector<Token> tokens;
    std::vector<uint64_t> hashes;  // of the tokens up to and with this one
    bool lost = false;             // in a fault; drop() makes it usable
    void append(Token token);
    void keep(Position upto);
  };

  Result<void> check_usable(SequenceId seq) const;
  Result<void> check_prefix(SequenceId seq, Position upto) const;
  Result<void> run_script(std::span<const Feed> feeds);
  Result<void> compute(std::span<const Feed> feeds);
  void compute_pass(std::span<const Feed> feeds, const Pass& pass);
  void emit(std::span<const Feed> feeds, LogitsSink& sink);
  void spend(size_t rows) const;
  void wait_for_abort();
  [[noreturn]] void freeze();
  bool take_abort();

  FakeOptions options_;
  std::vector<Sequence> sequences_;
  std::vector<float> row_;
  bool dead_ = false;  // after a fatal error

  std::mutex mutex_;
  std::condition_variable abort_called_;
  bool abort_ = false;  // guarded by mutex_
};

}  // namespace sluice
