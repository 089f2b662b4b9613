#include "adapters/llamacpp/adapter.h"

#include <fmt/format.h>

#include "adapters/llamacpp/llama_codec.h"
#include "adapters/llamacpp/llama_runtime.h"
#include "adapters/llamacpp/llama_tokens.h"
#include "ggml.h"
#include "llama.h"

namespace sluice::llamacpp {
namespace {

Result<worker::LoadedModel> load_model(const LoadOptions& options, LibraryLog& log,
                                       const std::function<void(float)>& progress) {
  auto runtime = LlamaRuntime::open(options, log, progress);
  if (!runtime) return std::unexpected(runtime.error());
  worker::LoadedModel loaded;
  loaded.token_bytes = std::make_unique<LlamaTokens>(llama_model_get_vocab((*runtime)->model()));
  loaded.system_info = (*runtime)->system_info();
  loaded.tuning = (*runtime)->tuning();
  loaded.runtime = std::move(*runtime);
  return loaded;
}

}  // namespace

worker::Adapter make_adapter(LibraryLog& log) {
  return {.name = "llamacpp",
          .runtime_version = fmt::format("llama.cpp {}, ggml {}", llama_version(), ggml_version()),
          .open_codec = [&log](const std::string& path) -> Result<std::unique_ptr<Codec>> {
            return LlamaCodec::open(path, log);
          },
          .load = [&log](const LoadOptions& options,
                         const std::function<void(float)>& progress) { return load_model(options, log, progress); }};
}

}  // namespace sluice::llamacpp
