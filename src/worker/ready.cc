#include "worker/ready.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "worker/tuning_message.h"

namespace sluice::worker {
namespace {

// Of what the lanes hold, in host memory beside it: the memory plan has no more for it.
constexpr uint64_t kParkedShare = 4;

Capability copy_of(CopyCost cost) {
  return cost == CopyCost::none ? Capability::no("this runtime cannot copy a sequence") : Capability::yes();
}

Capability truncate_of(const Capabilities& capabilities) {
  switch (capabilities.truncate) {
    case TruncateReach::anywhere: return Capability::yes();
    case TruncateReach::last_n:
      return Capability::no(fmt::format("only the last {} tokens can be taken back", capabilities.truncate_last_n));
    case TruncateReach::nowhere: return Capability::no("a sequence can only be dropped as a whole");
  }
  return Capability::no("unknown");
}

void add(proto::Ready& ready, const char* name, const Capability& capability) {
  proto::Capability& message = *ready.add_capabilities();
  message.set_name(name);
  message.set_holds(capability.holds);
  message.set_reason(capability.reason);
}

void add_capabilities(proto::Ready& ready, const Capabilities& capabilities) {
  add(ready, "copy", copy_of(capabilities.copy));
  add(ready, "truncate_anywhere", truncate_of(capabilities));
  add(ready, "equal_rows_per_pass", capabilities.equal_rows_per_pass);
  add(ready, "adjacent_ids_per_pass", capabilities.adjacent_ids_per_pass);
  add(ready, "mixed_passes", capabilities.mixed_passes);
  add(ready, "export_import", capabilities.export_import);
  add(ready, "device_sampling", capabilities.device_sampling);
  add(ready, "draft_heads", capabilities.draft_heads);
  add(ready, "lora", capabilities.lora);
  add(ready, "embeddings", capabilities.embeddings);
  add(ready, "alone_equals_beside", capabilities.alone_equals_beside);
  add(ready, "chunk_equals_chunk", capabilities.chunk_equals_chunk);
  add(ready, "decode_equals_prefill", capabilities.decode_equals_prefill);
  add(ready, "copied_equals_computed", capabilities.copied_equals_computed);
  add(ready, "imported_equals_computed", capabilities.imported_equals_computed);
}

}  // namespace

Result<engine::EngineConfig> engine_config(const LoadOptions& asked, const Capabilities& capabilities) {
  if (asked.lanes > capabilities.sequences) {
    return fail(
        ErrorCode::unsupported,
        fmt::format("the runtime holds {} sequences, and {} lanes were asked for", capabilities.sequences, asked.lanes),
        "lanes");
  }
  if (asked.window > capabilities.window) {
    return fail(
        ErrorCode::unsupported,
        fmt::format("the runtime's window is {} tokens, and {} were asked for", capabilities.window, asked.window),
        "context");
  }
  engine::EngineConfig config;
  config.lanes = asked.lanes;
  config.window = asked.window > 0 ? asked.window : capabilities.window;
  config.vocabulary = capabilities.vocabulary;
  config.call_tokens = std::min(asked.batch, capabilities.call_tokens);
  if (asked.chunk_time > Duration{}) config.chunk_time = asked.chunk_time;
  config.row_time = capabilities.row_time;
  config.costs = asked.costs;
  config.class_lanes = asked.class_lanes;
  config.pace = asked.pace;
  config.parked_tokens_max = std::max<uint64_t>(config.window, uint64_t{config.lanes} * config.window / kParkedShare);
  config.can_truncate = capabilities.truncate == TruncateReach::anywhere;
  config.can_export = capabilities.export_import.holds && capabilities.imported_equals_computed.holds;
  config.can_copy = capabilities.copy != CopyCost::none && capabilities.copied_equals_computed.holds;
  config.adjacent_ids_per_pass = capabilities.adjacent_ids_per_pass.holds;
  config.decode_equals_prefill = capabilities.decode_equals_prefill.holds;
  config.end_tokens = capabilities.end_tokens;
  return config;
}

proto::Ready ready_message(const engine::EngineConfig& config, const LoadedModel& model, Duration load_time) {
  const MemoryUse memory = model.runtime->memory();
  proto::Ready ready;
  ready.set_lanes(config.lanes);
  ready.set_window(config.window);
  ready.set_vocabulary(config.vocabulary);
  ready.set_weights_bytes(memory.weights_bytes);
  ready.set_kv_bytes(memory.kv_bytes);
  ready.set_compute_bytes(memory.compute_bytes);
  ready.set_system_info(replace_broken_utf8(model.system_info));
  ready.set_load_ms(static_cast<uint32_t>(to_ms(load_time)));
  add_capabilities(ready, model.runtime->capabilities());
  if (model.tuning) *ready.mutable_tuning() = tuning_message(*model.tuning);
  return ready;
}

}  // namespace sluice::worker
