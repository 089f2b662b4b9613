#include "adapters/fake/fake_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "adapters/fake/fake_codec.h"
#include "adapters/fake/text_logits.h"
#include "adapters/fake/vocabulary.h"

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

}  // namespace

Result<worker::LoadedModel> load_model(const LoadOptions& options, const std::function<void(float)>& progress,
                                       const Wait& wait) {
  auto file = read_model_file(options.model_path);
  if (!file) return std::unexpected(file.error());
  spend_load_time(*file, progress, wait);
  if (!file->load_error.empty()) return fail(ErrorCode::io, file->load_error);
  worker::LoadedModel model;
  model.runtime = std::make_unique<FakeRuntime>(runtime_options(*file, options, wait));
  model.token_bytes = std::make_unique<ByteTokens>(file->vocabulary);
  model.system_info =
      fmt::format("fake: {} tokens, {} us a call, {} us a row", file->vocabulary,
                  file->call_latency / std::chrono::microseconds(1), file->row_latency / std::chrono::microseconds(1));
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
