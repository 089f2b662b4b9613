#include "adapters/llamacpp/tuning_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "adapters/llamacpp/cells.h"
#include "base/check.h"
#include "llama.h"

namespace sluice::llamacpp {
namespace {

constexpr int kDone = 0, kAborted = 2;  // llama.h, at llama_decode

bool is_past(void* deadline) { return Clock::now() > *static_cast<const TimePoint*>(deadline); }

SequenceId sequence(uint32_t lane) { return SequenceId{static_cast<int32_t>(lane)}; }

int process(llama_context* context, llama_batch_ext* batch) {
  try {
    return llama_process(context, LLAMA_PROCESS_TYPE_DECODE, batch);
  } catch (const std::exception&) {
    return -3;  // as the library says it of a computation that failed
  }
}

}  // namespace

Result<std::unique_ptr<Trial>> Trial::open(llama_model* model, const ContextSettings& settings,
                                           uint64_t kv_bytes_per_token, LibraryLog& log) {
  auto opened = open_context(model, settings, kv_bytes_per_token, log);
  if (!opened) return std::unexpected(std::move(opened.error()));
  return std::unique_ptr<Trial>(new Trial(std::move(*opened), settings.lanes));
}

Trial::Trial(OpenContext opened, uint32_t lanes)
    : opened_(std::move(opened)), lanes_(lanes), batch_(opened_.context.get()) {
  llama_set_abort_callback(opened_.context.get(), is_past, &deadline_);
}

Result<Duration> Trial::time_of(const Work& work, uint32_t threads, TimePoint deadline) {
  CHECK(work.lanes <= lanes_ && work.calls > 0);
  deadline_ = deadline;
  llama_set_n_threads(opened_.context.get(), static_cast<int32_t>(threads), static_cast<int32_t>(threads));
  if (auto taken = take_depth(work); !taken) return std::unexpected(std::move(taken.error()));
  Duration least = Duration::max();
  for (uint32_t made = 0; made < work.calls; ++made) {
    const TimePoint begun = Clock::now();
    if (auto called = call(work, static_cast<Position>(work.depth + made * work.rows)); !called)
      return std::unexpected(std::move(called.error()));
    least = std::min(least, Clock::now() - begun);
  }
  return least;
}

Result<void> Trial::take_depth(const Work& work) {
  for (uint32_t lane = 0; lane < lanes_; ++lane)
    CHECK(llama_memory_seq_rm(llama_get_memory(opened_.context.get()), sequence(lane).raw, -1, -1));
  for (uint32_t lane = 0; lane < work.lanes; ++lane)
    if (auto taken = take_cells(opened_.context.get(), sequence(lane), work.depth); !taken) return taken;
  return {};
}

Result<void> Trial::call(const Work& work, Position first) {
  const std::vector<Token> tokens(work.rows, 0);
  std::vector<Feed> feeds;
  for (uint32_t lane = 0; lane < work.lanes; ++lane)
    feeds.push_back({sequence(lane), tokens, first, LogitsWanted::last});
  batch_.fill(feeds);
  const int code = process(opened_.context.get(), batch_.get());
  llama_synchronize(opened_.context.get());
  if (code == kDone) return {};
  if (code == kAborted) return fail(ErrorCode::timed_out, "the time for measuring is over");
  return fail(ErrorCode::fatal, fmt::format("llama.cpp could not compute ({})", code));
}

}  // namespace sluice::llamacpp
