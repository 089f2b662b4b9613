#include "adapters/fake/fake_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "adapters/fake/fake_codec.h"
#include "adapters/fake/text_logits.h"
#include "adapters/fake/vocabulary.h"
#include "base/check.h"
#include "runtime/settle.h"

namespace sluice::fake {
namespace {

constexpr int kLoadingParts = 20;

void spend_load_time(const ModelFile& file, const std::function<void(float)>& progress, const Wait& wait) {
  for (int part = 0; part < kLoadingParts; ++part) {
    progress(static_cast<float>(part) / kLoadingParts);
    wait(file.load_time / kLoadingParts);
  }
  progress(1);
}

FakeOptions runtime_options(const ModelFile& file, const LoadOptions& options, const Wait& wait) {
  const uint32_t wanted = options.window > 0 ? options.window : file.trained_window;
  const uint32_t window = file.window > 0 ? std::min(wanted, file.window) : wanted;
  FakeOptions fake{.capabilities = fake_capabilities(options.lanes, window, file.vocabulary, {kEnd})};
  fake.capabilities.call_tokens = options.batch;
  fake.capabilities.pass_tokens = std::min(options.ubatch, options.batch);
  fake.logits = text_logits(file.end_every);
  fake.call_latency = file.call_latency;
  fake.row_latency = file.row_latency;
  fake.wait = wait;
  fake.faults = file.faults;
  return fake;
}

std::string_view word_of(FlashAttention flash_attention) {
  switch (flash_attention) {
    case FlashAttention::automatic: return "auto";
    case FlashAttention::on: return "on";
    case FlashAttention::off: return "off";
  }
  UNREACHABLE();
}

// Figures that give the choice a lead.
Tuning tuning_of(const TuningChoice& choice, uint32_t lanes) {
  using std::chrono::milliseconds;
  const TuningFigures slow{milliseconds(800), milliseconds(10), milliseconds(30), milliseconds(20), milliseconds(90)};
  const TuningFigures fast{milliseconds(400), milliseconds(5), milliseconds(15), milliseconds(10), milliseconds(45)};
  Tuning tuning;
  tuning.choice = choice;
  tuning.candidates = {{{!choice.flash_attention, choice.threads}, slow}, {choice, fast}};
  tuning.lanes = lanes;
  tuning.prompt_rows = 256;
  tuning.shallow_tokens = 64;
  tuning.deep_tokens = 2048;
  tuning.took = milliseconds(1500);
  return tuning;
}

}  // namespace

Result<worker::LoadedModel> load_model(const LoadOptions& options, const std::function<void(float)>& progress,
                                       const Wait& wait) {
  auto file = read_model_file(options.model_path);
  if (!file) return std::unexpected(file.error());
  spend_load_time(*file, progress, wait);
  if (!file->load_error.empty()) return fail(ErrorCode::io, file->load_error);
  if (options.tune && file->tuning.crashes) std::abort();
  worker::LoadedModel model;
  LoadOptions settled = options;
  if (options.tune) {
    model.tuning = tuning_of(file->tuning.choice, options.lanes);
    settle(settled, file->tuning.choice);
  }
  model.runtime = std::make_unique<FakeRuntime>(runtime_options(*file, options, wait));
  model.token_bytes = std::make_unique<ByteTokens>(file->vocabulary);
  model.system_info =
      fmt::format("fake: {} tokens, {} us a call, {} us a row, flash attention {}, threads {}", file->vocabulary,
                  file->call_latency / std::chrono::microseconds(1), file->row_latency / std::chrono::microseconds(1),
                  word_of(settled.flash_attention), settled.threads);
  return model;
}

worker::Adapter fake_adapter(const Wait& wait) {
  worker::Adapter adapter;
  adapter.name = "fake";
  adapter.runtime_version = "1.0";
  adapter.open_codec = open_codec;
  adapter.load = [wait](const LoadOptions& options, const std::function<void(float)>& progress) {
    return load_model(options, progress, wait);
  };
  return adapter;
}

}  // namespace sluice::fake
