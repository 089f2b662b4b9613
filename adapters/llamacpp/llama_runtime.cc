#include "adapters/llamacpp/llama_runtime.h"

#include <fmt/format.h>

#include "adapters/llamacpp/capabilities.h"
#include "adapters/llamacpp/devices.h"
#include "adapters/llamacpp/kv_snapshot.h"
#include "base/check.h"
#include "base/usable_cores.h"
#include "llama-ext.h"
#include "llama.h"
#include "runtime/feed_rules.h"
#include "runtime/passes.h"

namespace sluice::llamacpp {
namespace {

// What llama_process returns (llama.h at llama_decode); below -1 it cannot go on.
constexpr int kDone = 0, kNoRoom = 1, kAborted = 2, kInvalid = -1;

bool abort_wanted(void* flag) { return static_cast<std::atomic<bool>*>(flag)->load(std::memory_order_relaxed); }

Result<int> process(llama_context* context, llama_batch_ext* batch) {
  try {
    return llama_process(context, LLAMA_PROCESS_TYPE_DECODE, batch);
  } catch (const std::exception& error) {
    return fail(ErrorCode::fatal, fmt::format("llama.cpp failed to compute: {}", error.what()));
  }
}

Error aborted() { return {ErrorCode::cancelled, "the step was aborted", {}}; }

}  // namespace

Result<std::unique_ptr<LlamaRuntime>> LlamaRuntime::open(const LoadOptions& options, LibraryLog& log,
                                                         const std::function<void(float)>& progress) {
  auto loaded = load(options, log, progress);
  if (!loaded) return std::unexpected(loaded.error());
  std::unique_ptr<LlamaRuntime> runtime(new LlamaRuntime(std::move(*loaded)));
  log.begin();
  const auto exactness = self_check(*runtime);
  if (!exactness) {
    return fail(ErrorCode::fatal, fmt::format("{}: loaded, but does not compute: {} ({})", options.model_path,
                                              exactness.error().message, log.cause()));
  }
  runtime->adopt(*exactness);
  return runtime;
}

LlamaRuntime::LlamaRuntime(Loaded loaded)
    : loaded_(std::move(loaded)),
      capabilities_(capabilities_of(loaded_)),
      batch_(loaded_.context.get()),
      samplers_(loaded_.context.get(), capabilities_.sequences),
      governor_(loaded_.threads, usable_cores()),
      threads_(loaded_.threads),
      computed_(capabilities_.sequences, 0) {
  llama_set_abort_callback(loaded_.context.get(), abort_wanted, &abort_);
}

void LlamaRuntime::adopt(const Exactness& exactness) {
  capabilities_.row_time = exactness.row_time;
  capabilities_.alone_equals_beside = exactness.alone_equals_beside;
  capabilities_.chunk_equals_chunk = exactness.chunk_equals_chunk;
  capabilities_.decode_equals_prefill = exactness.decode_equals_prefill;
  capabilities_.copied_equals_computed = exactness.copied_equals_computed;
  capabilities_.imported_equals_computed = exactness.imported_equals_computed;
  capabilities_.device_sampling = exactness.chosen_equals_likeliest;
}

PassCost LlamaRuntime::passes_of(std::span<const Feed> feeds) const {
  PassCost cost;
  for (const auto& call : cut_by_outputs(feeds, loaded_.outputs_max)) {
    std::vector<Feed> sorted;
    for (const size_t index : by_sequence(call)) sorted.push_back(call[index]);
    cost.passes += static_cast<uint32_t>(split_into_passes(sorted, capabilities_).size());
  }
  return cost;
}

Result<void> LlamaRuntime::step(std::span<const Feed> feeds, LogitsSink& sink) {
  auto valid = check_feeds(feeds, capabilities_, [this](SequenceId seq) { return computed(seq); });
  if (!valid) return valid;
  if (abort_.exchange(false)) return std::unexpected(aborted());
  for (const auto& call : cut_by_outputs(feeds, loaded_.outputs_max))
    if (auto ran = run(call, sink); !ran) return ran;
  return {};
}

// The number of threads changes no byte (LlamaExactness.TheNumberOfThreadsChangesNoByte).
void LlamaRuntime::share_cores() {
  if (const auto window = core_use_.window(Clock::now()))
    governor_.on_window(window->wall, window->own, window->others);
  if (governor_.threads() == threads_) return;
  threads_ = governor_.threads();
  llama_set_n_threads(loaded_.context.get(), static_cast<int32_t>(threads_), static_cast<int32_t>(threads_));
}

// Sequences that want no row keep what they have.
Result<void> LlamaRuntime::choose_where(std::span<const Feed> feeds) {
  for (const Feed& feed : feeds) {
    if (feed.logits == LogitsWanted::none) continue;
    if (!samplers_.choose_likeliest(feed.seq, feed.logits == LogitsWanted::likeliest))
      return fail(ErrorCode::invalid, "llama.cpp chooses no tokens on this device");
  }
  return {};
}

Result<void> LlamaRuntime::run(std::span<const Feed> feeds, LogitsSink& sink) {
  if (auto chosen = choose_where(feeds); !chosen) return chosen;
  batch_.fill(feeds);
  share_cores();
  const auto code = process(loaded_.context.get(), batch_.get());
  if (!code) return std::unexpected(code.error());
  if (*code != kDone) return ended_early(feeds, *code);
  llama_synchronize(loaded_.context.get());
  for (const Feed& feed : feeds) computed_of(feed.seq) += static_cast<Position>(feed.tokens.size());
  return emit(feeds, sink);
}

void LlamaRuntime::emit_likeliest(const Feed& feed, size_t feed_index, LogitsSink& sink) const {
  const auto last = static_cast<int32_t>(feed.tokens.size()) - 1;
  sink.on_likeliest(feed.seq, feed.first + last, samplers_.chosen(batch_.first_row(feed_index) + last));
}

Result<void> LlamaRuntime::emit(std::span<const Feed> feeds, LogitsSink& sink) {
  for (size_t i = 0; i < feeds.size(); ++i) {
    const Feed& feed = feeds[i];
    if (feed.logits == LogitsWanted::none) continue;
    if (feed.logits == LogitsWanted::likeliest) {
      emit_likeliest(feed, i, sink);
      continue;
    }
    const size_t begin = feed.logits == LogitsWanted::all ? 0 : feed.tokens.size() - 1;
    for (size_t at = begin; at < feed.tokens.size(); ++at) {
      const float* row = llama_get_logits_ith(loaded_.context.get(), batch_.first_row(i) + static_cast<int32_t>(at));
      if (row == nullptr) return fail(ErrorCode::fatal, "llama.cpp gave no logits for a row that asked for them");
      sink.on_logits(feed.seq, feed.first + static_cast<Position>(at), {row, capabilities_.vocabulary});
    }
  }
  return {};
}

// Passes that finished before stay. An abort in the middle of one leaves a cache of positions exact, but counts the
// broken pass as done in a recurrent state: such sequences are emptied, since nothing could be computed on.
Result<void> LlamaRuntime::ended_early(std::span<const Feed> feeds, int code) {
  if (code == kNoRoom) return fail(ErrorCode::capacity, "llama.cpp found no room for these tokens");
  if (code == kInvalid) return fail(ErrorCode::invalid, "llama.cpp refused these tokens as invalid");
  if (code != kAborted) return fail(ErrorCode::fatal, fmt::format("llama.cpp failed to compute ({})", code));
  for (const Feed& feed : feeds) {
    if (keeps_every_position(loaded_.memory)) {
      computed_of(feed.seq) = llama_memory_seq_pos_max(llama_get_memory(loaded_.context.get()), feed.seq.raw) + 1;
    } else {
      drop(feed.seq);
    }
  }
  abort_.store(false);
  return std::unexpected(aborted());
}

Position LlamaRuntime::computed(SequenceId seq) const {
  return check_sequence(seq, capabilities_) ? computed_[static_cast<size_t>(seq.raw)] : 0;
}

// The library copies whole sequences only, and only when it next computes. Until then nothing may read the copy's KV;
// nothing here does.
Result<void> LlamaRuntime::copy(SequenceId from, SequenceId to, Position upto) {
  if (auto known = check_sequence(from, capabilities_); !known) return known;
  if (auto known = check_sequence(to, capabilities_); !known) return known;
  if (from == to) return fail(ErrorCode::invalid, "a sequence cannot be copied to itself");
  if (upto <= 0 || upto > computed(from))
    return fail(ErrorCode::invalid, fmt::format("sequence {} has {} tokens computed; the first {} cannot be copied",
                                                from.raw, computed(from), upto));
  if (capabilities_.copy == CopyCost::none)
    return fail(ErrorCode::unsupported,
                fmt::format("a prefix cannot be copied: this model keeps {}", name_of(loaded_.memory)));
  llama_memory_seq_cp(llama_get_memory(loaded_.context.get()), from.raw, to.raw, -1, -1);
  remove_from(to, upto);
  return {};
}

Result<void> LlamaRuntime::truncate(SequenceId seq, Position upto) {
  if (auto known = check_sequence(seq, capabilities_); !known) return known;
  if (upto < 0 || upto > computed(seq))
    return fail(ErrorCode::invalid, fmt::format("sequence {} has {} tokens computed; it cannot be cut to {}", seq.raw,
                                                computed(seq), upto));
  if (upto == computed(seq)) return {};
  if (upto > 0 && capabilities_.truncate == TruncateReach::nowhere)
    return fail(ErrorCode::unsupported,
                fmt::format("a sequence cannot be cut: this model keeps {}", name_of(loaded_.memory)));
  remove_from(seq, upto);
  return {};
}

Result<Snapshot> LlamaRuntime::export_kv(SequenceId seq, Position upto) {
  if (!capabilities_.export_import.holds) return fail(ErrorCode::unsupported, capabilities_.export_import.reason);
  if (auto known = check_sequence(seq, capabilities_); !known) return std::unexpected(known.error());
  if (upto <= 0 || upto > computed(seq))
    return fail(ErrorCode::invalid, fmt::format("sequence {} has {} tokens computed; the first {} cannot be exported",
                                                seq.raw, computed(seq), upto));
  return export_sequence(loaded_.context.get(), seq, upto);
}

Result<void> LlamaRuntime::import_kv(SequenceId seq, const Snapshot& snapshot) {
  if (!capabilities_.export_import.holds) return fail(ErrorCode::unsupported, capabilities_.export_import.reason);
  if (auto known = check_sequence(seq, capabilities_); !known) return known;
  auto imported = import_sequence(loaded_.context.get(), seq, snapshot);
  if (imported) {
    remove_from(seq, snapshot.tokens);
  } else if (imported.error().code == ErrorCode::fault) {
    computed_of(seq) = 0;
  }
  return imported;
}

void LlamaRuntime::drop(SequenceId seq) {
  if (check_sequence(seq, capabilities_)) remove_from(seq, 0);
}

void LlamaRuntime::remove_from(SequenceId seq, Position first) {
  CHECK(llama_memory_seq_rm(llama_get_memory(loaded_.context.get()), seq.raw, first, -1));
  computed_of(seq) = first;
}

MemoryUse LlamaRuntime::memory() const {
  MemoryUse use;
  for (const auto& [buffer, bytes] : llama_get_memory_breakdown(loaded_.context.get())) {
    use.weights_bytes += bytes.model;
    use.kv_bytes += bytes.context;
    use.compute_bytes += bytes.compute;
  }
  return use;
}

void LlamaRuntime::abort_step() { abort_.store(true, std::memory_order_relaxed); }

std::string LlamaRuntime::system_info() const {
  std::string instructions = llama_print_system_info();
  while (!instructions.empty() && (instructions.back() == ' ' || instructions.back() == '|')) instructions.pop_back();
  return fmt::format("{} | threads {} | flash attention {} | devices {} | {}", instructions, loaded_.threads,
                     loaded_.flash_attention ? "on" : "off", device_names(), name_of(loaded_.memory));
}

}  // namespace sluice::llamacpp
