#include "runtime/fake_runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>

#include "base/check.h"
#include "runtime/feed_rules.h"

namespace sluice {
namespace {

// splitmix64's finisher (Steele, Lea, Flood 2014): every input bit reaches every output bit.
uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

constexpr int kFavourites = 8;

// No comparison with NaN holds.
std::optional<Token> likeliest_of(std::span<const float> row) {
  std::optional<Token> likeliest;
  float highest = -std::numeric_limits<float>::infinity();
  for (size_t token = 0; token < row.size(); ++token) {
    if (!(row[token] > highest)) continue;
    highest = row[token];
    likeliest = static_cast<Token>(token);
  }
  return likeliest;
}

}  // namespace

LogitsRule peaky_logits(std::vector<Token> end_tokens, uint32_t end_every) {
  CHECK(end_every > 0);
  return [end_tokens = std::move(end_tokens), end_every](std::span<const Token>, uint64_t hash, std::span<float> row) {
    uint64_t state = hash;
    for (float& logit : row) logit = static_cast<float>(mix(++state) >> 40) * 0x1p-24f;
    for (const Token end : end_tokens) row[end] = -8;
    for (int rank = 0; rank < kFavourites; ++rank) {
      row[mix(hash + 0x9e3779b97f4a7c15ull * (rank + 1)) % row.size()] = 12.0f - static_cast<float>(rank);
    }
    if (!end_tokens.empty() && mix(~hash) % end_every == 0) row[end_tokens.front()] = 14;
  };
}

Capabilities fake_capabilities(uint32_t sequences, uint32_t window, uint32_t vocabulary,
                               std::vector<Token> end_tokens) {
  return {
      .sequences = sequences,
      .window = window,
      .vocabulary = vocabulary,
      .call_tokens = std::min<uint32_t>(window, 512),
      .pass_tokens = std::min<uint32_t>(window, 128),
      .kv_bytes_per_token = sizeof(Token) + sizeof(uint64_t),
      .end_tokens = std::move(end_tokens),
      .copy = CopyCost::memcpy_prefix,
      .truncate = TruncateReach::anywhere,
      .truncate_last_n = 0,
      .equal_rows_per_pass = Capability::yes(),
      .adjacent_ids_per_pass = Capability::yes(),
      .mixed_passes = Capability::no("kept apart, as the engine's calls are"),
      .export_import = Capability::yes(),
      .device_sampling = Capability::no("there is no device"),
      .draft_heads = Capability::no("there is no model"),
      .lora = Capability::no("there are no weights"),
      .embeddings = Capability::no("there are no activations"),
      .alone_equals_beside = Capability::yes(),
      .chunk_equals_chunk = Capability::yes(),
      .decode_equals_prefill = Capability::yes(),
      .copied_equals_computed = Capability::yes(),
      .imported_equals_computed = Capability::yes(),
  };
}

void FakeRuntime::Sequence::append(Token token) {
  const uint64_t before = hashes.empty() ? 0x243f6a8885a308d3ull : hashes.back();
  tokens.push_back(token);
  hashes.push_back(mix(before + static_cast<uint64_t>(token) * 2 + 1));
}

void FakeRuntime::Sequence::keep(Position upto) {
  tokens.resize(upto);
  hashes.resize(upto);
}

FakeRuntime::FakeRuntime(FakeOptions options)
    : options_(std::move(options)),
      sequences_(options_.capabilities.sequences),
      row_(options_.capabilities.vocabulary) {
  CHECK(options_.capabilities.vocabulary > 0 && options_.capabilities.pass_tokens > 0);
  if (!options_.logits) options_.logits = peaky_logits(options_.capabilities.end_tokens);
  if (!options_.counters) options_.counters = std::make_shared<FakeCounters>(options_.capabilities.sequences);
  CHECK(options_.counters->rows_of.size() >= options_.capabilities.sequences);
}

PassCost FakeRuntime::passes_of(std::span<const Feed> feeds) const {
  return {static_cast<uint32_t>(split_into_passes(feeds, options_.capabilities).size())};
}

Result<void> FakeRuntime::step(std::span<const Feed> feeds, LogitsSink& sink) {
  if (dead_) return fail(ErrorCode::fatal, "the runtime died in an earlier call");
  const auto held = [this](SequenceId seq) { return static_cast<Position>(sequences_[seq.raw].tokens.size()); };
  if (auto checked = check_feeds(feeds, options_.capabilities, held); !checked) return checked;
  for (const Feed& feed : feeds) {
    if (auto usable = check_usable(feed.seq); !usable) return usable;
  }
  ++options_.counters->calls;
  if (auto scripted = run_script(feeds); !scripted) return scripted;
  if (auto computed = compute(feeds); !computed) return computed;
  emit(feeds, sink);
  return {};
}

Result<void> FakeRuntime::run_script(std::span<const Feed> feeds) {
  const uint64_t call = options_.counters->calls;
  const auto found = std::find_if(options_.faults.begin(), options_.faults.end(),
                                  [call](const ScriptedFault& fault) { return fault.call == call; });
  if (found == options_.faults.end()) return {};
  switch (found->kind) {
    case FakeFault::capacity: return fail(ErrorCode::capacity, "scripted: no room");
    case FakeFault::fault:
      for (const Feed& feed : feeds) sequences_[feed.seq.raw].lost = true;
      return fail(ErrorCode::fault, "scripted: the sequences of this call are lost");
    case FakeFault::fatal: dead_ = true; return fail(ErrorCode::fatal, "scripted: the runtime cannot go on");
    case FakeFault::hang: wait_for_abort(); return {};
    case FakeFault::freeze: freeze();
    case FakeFault::crash: std::abort();
  }
  UNREACHABLE();
}

// An abort is looked for before each pass, and finished passes stay.
Result<void> FakeRuntime::compute(std::span<const Feed> feeds) {
  for (const Pass& pass : split_into_passes(feeds, options_.capabilities)) {
    if (take_abort()) return fail(ErrorCode::cancelled, "the step was aborted");
    compute_pass(feeds, pass);
  }
  return {};
}

void FakeRuntime::compute_pass(std::span<const Feed> feeds, const Pass& pass) {
  size_t rows = 0;
  for (const PassShare& share : pass) {
    const Feed& feed = feeds[share.feed];
    Sequence& sequence = sequences_[feed.seq.raw];
    const size_t done = sequence.tokens.size() - static_cast<size_t>(feed.first);
    for (const Token token : feed.tokens.subspan(done, share.rows)) sequence.append(token);
    options_.counters->rows_of[feed.seq.raw] += share.rows;
    rows += share.rows;
  }
  options_.counters->rows += rows;
  ++options_.counters->passes;
  spend(rows);
}

void FakeRuntime::spend(size_t rows) const {
  if (options_.wait) options_.wait(options_.call_latency + options_.row_latency * static_cast<int64_t>(rows));
}

void FakeRuntime::emit(std::span<const Feed> feeds, LogitsSink& sink) {
  for (const Feed& feed : feeds) {
    if (feed.logits == LogitsWanted::none) continue;
    const Sequence& sequence = sequences_[feed.seq.raw];
    const size_t end = feed.first + feed.tokens.size();
    for (size_t at = feed.logits == LogitsWanted::all ? feed.first : end - 1; at < end; ++at) {
      options_.logits(std::span(sequence.tokens).first(at + 1), sequence.hashes[at], row_);
      if (feed.logits == LogitsWanted::likeliest) {
        sink.on_likeliest(feed.seq, static_cast<Position>(at), likeliest_of(row_));
      } else {
        sink.on_logits(feed.seq, static_cast<Position>(at), row_);
      }
    }
  }
}

Position FakeRuntime::computed(SequenceId seq) const {
  if (!check_sequence(seq, options_.capabilities)) return 0;
  return static_cast<Position>(sequences_[seq.raw].tokens.size());
}

Result<void> FakeRuntime::check_usable(SequenceId seq) const {
  if (auto known = check_sequence(seq, options_.capabilities); !known) return known;
  if (!sequences_[seq.raw].lost) return {};
  return fail(ErrorCode::invalid, fmt::format("sequence {} was lost in a fault: drop it first", seq.raw));
}

Result<void> FakeRuntime::check_prefix(SequenceId seq, Position upto) const {
  if (auto usable = check_usable(seq); !usable) return usable;
  if (upto > 0 && upto <= computed(seq)) return {};
  return fail(ErrorCode::invalid,
              fmt::format("sequence {} has {} tokens: there is no prefix of {}", seq.raw, computed(seq), upto));
}

Result<void> FakeRuntime::copy(SequenceId from, SequenceId to, Position upto) {
  if (options_.capabilities.copy == CopyCost::none) {
    return fail(ErrorCode::unsupported, "this runtime cannot copy a sequence");
  }
  if (auto prefix = check_prefix(from, upto); !prefix) return prefix;
  if (auto known = check_sequence(to, options_.capabilities); !known) return known;
  if (from == to) return fail(ErrorCode::invalid, fmt::format("sequence {} cannot be copied to itself", from.raw));
  sequences_[to.raw] = sequences_[from.raw];
  sequences_[to.raw].keep(upto);
  return {};
}

Result<void> FakeRuntime::truncate(SequenceId seq, Position upto) {
  if (auto usable = check_usable(seq); !usable) return usable;
  const Position held = computed(seq);
  if (upto < 0 || upto > held) {
    return fail(ErrorCode::invalid, fmt::format("sequence {} has {} tokens: it cannot keep {}", seq.raw, held, upto));
  }
  const Capabilities& can = options_.capabilities;
  const bool reached =
      upto == held || can.truncate == TruncateReach::anywhere ||
      (can.truncate == TruncateReach::last_n && static_cast<uint32_t>(held - upto) <= can.truncate_last_n);
  if (!reached) {
    return fail(ErrorCode::unsupported,
                fmt::format("sequence {} cannot be cut from {} to {} tokens", seq.raw, held, upto));
  }
  sequences_[seq.raw].keep(upto);
  return {};
}

Result<Snapshot> FakeRuntime::export_kv(SequenceId seq, Position upto) {
  if (!options_.capabilities.export_import.holds) {
    return fail(ErrorCode::unsupported, options_.capabilities.export_import.reason);
  }
  if (auto prefix = check_prefix(seq, upto); !prefix) return std::unexpected(prefix.error());
  const auto bytes = std::as_bytes(std::span(sequences_[seq.raw].tokens).first(upto));
  return Snapshot{upto, {bytes.begin(), bytes.end()}};
}

Result<void> FakeRuntime::import_kv(SequenceId seq, const Snapshot& snapshot) {
  const Capabilities& can = options_.capabilities;
  if (!can.export_import.holds) return fail(ErrorCode::unsupported, can.export_import.reason);
  if (auto known = check_sequence(seq, can); !known) return known;
  if (snapshot.tokens <= 0 || snapshot.bytes.size() != snapshot.tokens * sizeof(Token)) {
    return fail(ErrorCode::invalid, "the snapshot's bytes are not those of its tokens");
  }
  std::vector<Token> tokens(snapshot.tokens);
  std::memcpy(tokens.data(), snapshot.bytes.data(), snapshot.bytes.size());
  const auto place = [](SequenceId) { return Position{0}; };
  Capabilities whole = can;  // a snapshot is not bound by a call's size
  whole.call_tokens = can.window;
  const Feed as_feed{seq, tokens, 0, LogitsWanted::none};
  if (auto checked = check_feeds({&as_feed, 1}, whole, place); !checked) return checked;
  sequences_[seq.raw] = {};
  for (const Token token : tokens) sequences_[seq.raw].append(token);
  return {};
}

void FakeRuntime::drop(SequenceId seq) {
  if (check_sequence(seq, options_.capabilities)) sequences_[seq.raw] = {};
}

MemoryUse FakeRuntime::memory() const {
  const Capabilities& can = options_.capabilities;
  return {.weights_bytes = sizeof(*this),
          .kv_bytes = uint64_t{can.sequences} * can.window * can.kv_bytes_per_token,
          .compute_bytes = row_.size() * sizeof(float)};
}

void FakeRuntime::abort_step() {
  {
    const std::lock_guard lock(mutex_);
    abort_ = true;
  }
  abort_called_.notify_all();
}

void FakeRuntime::wait_for_abort() {
  std::unique_lock lock(mutex_);
  abort_called_.wait(lock, [this] { return abort_; });
}

void FakeRuntime::freeze() {
  std::unique_lock lock(mutex_);
  for (;;) abort_called_.wait(lock);
}

bool FakeRuntime::take_abort() {
  const std::lock_guard lock(mutex_);
  return std::exchange(abort_, false);
}

}  // namespace sluice
