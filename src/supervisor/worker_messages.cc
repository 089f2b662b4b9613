#include "supervisor/worker_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/check.h"
#include "base/limits.h"
#include "proto/convert.h"
#include "supervisor/tuning_message.h"

namespace sluice::supervisor {
namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::milliseconds;

proto::Load::FlashAttention flash_attention_of(FlashAttention flash_attention) {
  switch (flash_attention) {
    case FlashAttention::automatic: return proto::Load::FLASH_AUTO;
    case FlashAttention::on: return proto::Load::FLASH_ON;
    case FlashAttention::off: return proto::Load::FLASH_OFF;
  }
  UNREACHABLE();
}

Result<void> check_range(const char* what, uint32_t value, uint32_t max) {
  if (value >= 1 && value <= max) return {};
  return fail(ErrorCode::protocol, fmt::format("{} {}, where 1 to {} are possible", value, what, max));
}

Result<void> check_ready(const proto::Ready& ready) {
  if (auto checked = check_range("lanes", ready.lanes(), limits::lanes_max); !checked) return checked;
  if (auto checked = check_range("tokens of window", ready.window(), limits::window_tokens_max); !checked) {
    return checked;
  }
  return check_range("tokens of vocabulary", ready.vocabulary(), INT32_MAX);
}

}  // namespace

proto::ToWorker load_message(const LoadOptions& load) {
  proto::ToWorker message;
  proto::Load& wanted = *message.mutable_load();
  wanted.set_model_path(load.model_path);
  wanted.set_lanes(load.lanes);
  wanted.set_window(load.window);
  wanted.set_threads(load.threads);
  wanted.set_batch(load.batch);
  wanted.set_ubatch(load.ubatch);
  wanted.set_gpu_layers(load.gpu_layers);
  wanted.set_device(load.device);
  wanted.set_cache_type_k(load.cache_type_k);
  wanted.set_cache_type_v(load.cache_type_v);
  wanted.set_flash_attention(flash_attention_of(load.flash_attention));
  wanted.set_tune(load.tune);
  wanted.set_chunk_time_ms(static_cast<uint32_t>(duration_cast<milliseconds>(load.chunk_time).count()));
  *wanted.mutable_costs() = proto::to_message(load.costs);
  wanted.mutable_class_lanes()->Assign(load.class_lanes.begin(), load.class_lanes.end());
  for (const Duration pace : load.pace) wanted.add_pace_ms(duration_cast<milliseconds>(pace).count());
  return message;
}

Result<WorkerReport> report_of(const proto::Ready& ready, const std::string& runtime_version) {
  if (auto checked = check_ready(ready); !checked) return std::unexpected(std::move(checked.error()));
  WorkerReport report;
  if (ready.has_tuning()) {
    auto tuning = tuning_of(ready.tuning());
    if (!tuning) return std::unexpected(std::move(tuning.error()));
    report.tuning = *std::move(tuning);
  }
  report.lanes = ready.lanes();
  report.window = ready.window();
  report.vocabulary = ready.vocabulary();
  report.weights_bytes = ready.weights_bytes();
  report.kv_bytes = ready.kv_bytes();
  report.compute_bytes = ready.compute_bytes();
  report.capabilities.assign(ready.capabilities().begin(), ready.capabilities().end());
  report.runtime_version = runtime_version;
  report.system_info = ready.system_info();
  report.load_time = milliseconds(ready.load_ms());
  return report;
}

void count(const proto::Events& events, WorkerReport& report) {
  if (events.step() > 0) {
    report.steps = std::max(report.steps, events.step());
    report.last_step = microseconds(std::min<uint64_t>(events.step_us(), UINT32_MAX));
  }
  if (!events.has_stats()) return;
  report.stats = events.stats();
  report.lanes_busy = report.stats.lanes_busy();
}

}  // namespace sluice::supervisor
