#include "worker/letters.h"

#include <algorithm>

#include "base/check.h"
#include "base/limits.h"

namespace sluice::worker {
namespace {

Result<FlashAttention> flash_attention_of(proto::Load::FlashAttention value) {
  if (value == proto::Load::FLASH_AUTO) return FlashAttention::automatic;
  if (value == proto::Load::FLASH_ON) return FlashAttention::on;
  if (value == proto::Load::FLASH_OFF) return FlashAttention::off;
  return fail(ErrorCode::protocol, "Load: unknown choice of flash attention", "flash_attention");
}

constexpr int kClassCount = std::size(kClasses);

Result<void> check_load(const proto::Load& load) {
  const auto refuse = [](const char* field, const char* what) {
    return fail(ErrorCode::protocol, std::string("Load: ") + field + " " + what, field);
  };
  if (load.model_path().empty()) return refuse("model_path", "is empty");
  if (load.lanes() == 0 || load.lanes() > limits::lanes_max) return refuse("lanes", "is 0 or over its limit");
  if (load.window() > limits::window_tokens_max) return refuse("window", "is over its limit");
  if (load.threads() > limits::threads_max) return refuse("threads", "is over its limit");
  if (load.batch() == 0 || load.batch() > limits::batch_tokens_max) return refuse("batch", "is 0 or over its limit");
  if (load.ubatch() == 0 || load.ubatch() > limits::batch_tokens_max) return refuse("ubatch", "is 0 or over its limit");
  if (load.gpu_layers() < -1 || load.gpu_layers() > limits::gpu_layers_max)
    return refuse("gpu_layers", "is impossible");
  if (load.class_lanes_size() > kClassCount) return refuse("class_lanes", "names more classes than there are");
  if (load.pace_ms_size() > kClassCount) return refuse("pace_ms", "names more classes than there are");
  return {};
}

Result<Letter> load_options(const proto::Load& load) {
  if (const auto checked = check_load(load); !checked) return std::unexpected(checked.error());
  const auto flash_attention = flash_attention_of(load.flash_attention());
  if (!flash_attention) return std::unexpected(flash_attention.error());
  auto costs = proto::from_message(load.costs());
  if (!costs) return std::unexpected(std::move(costs.error()));
  LoadOptions options;
  options.costs = *costs;
  options.model_path = load.model_path();
  options.lanes = load.lanes();
  options.window = load.window();
  options.threads = load.threads();
  options.batch = load.batch();
  options.ubatch = load.ubatch();
  options.gpu_layers = load.gpu_layers();
  options.device = load.device();
  options.cache_type_k = load.cache_type_k();
  options.cache_type_v = load.cache_type_v();
  options.flash_attention = *flash_attention;
  options.tune = load.tune();
  options.chunk_time = std::chrono::milliseconds(load.chunk_time_ms());
  std::ranges::copy(load.class_lanes(), options.class_lanes.begin());
  options.pace.fill({});
  std::ranges::transform(load.pace_ms(), options.pace.begin(),
                         [](uint32_t ms) { return std::chrono::milliseconds(ms); });
  return options;
}

Result<Letter> submission(const proto::Submit& submit) {
  auto converted = proto::from_message(submit);
  if (!converted) return std::unexpected(converted.error());
  return *std::move(converted);
}

}  // namespace

Result<Letter> letter_of(const proto::ToWorker& message) {
  switch (message.body_case()) {
    case proto::ToWorker::kLoad: return load_options(message.load());
    case proto::ToWorker::kSubmit: return submission(message.submit());
    case proto::ToWorker::kCancel: return CancelLetter{GenerationId{message.cancel().generation()}};
    case proto::ToWorker::kAck: return AckLetter{message.ack().step()};
    case proto::ToWorker::kDrain: return DrainLetter{};
    case proto::ToWorker::kLook: return LookLetter{message.look().number()};
    case proto::ToWorker::kPing: UNREACHABLE();  // answered by thread link
    case proto::ToWorker::BODY_NOT_SET: break;
  }
  return fail(ErrorCode::protocol, "a frame says nothing that this build knows");
}

}  // namespace sluice::worker
