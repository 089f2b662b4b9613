// The suite that every runtime passes, on a model of each kind of memory. The default model's run is the slow one.
#include "runtime/conformance.h"

#include "adapters/llamacpp/test_model.h"
#include "adapters/llamacpp/test_tiny_model.h"

namespace sluice {
namespace {

LoadOptions smallest(const std::string& path) {
  auto options = llamacpp::test_options();
  options.model_path = path;
  options.window = 256;
  options.batch = 96;
  options.ubatch = 64;
  return options;
}

auto opener(llamacpp::TinyKind kind) {
  return [kind]() -> Result<std::unique_ptr<Runtime>> {
    return llamacpp::open_test_model(smallest(llamacpp::tiny_model(kind)));
  };
}

Result<std::unique_ptr<Runtime>> open_default() {
  return llamacpp::open_test_model(smallest(llamacpp::test_model_path()));
}

std::vector<Token> tiny_text(size_t count, uint32_t variant) {
  std::vector<Token> tokens;
  for (size_t i = 0; i < count; ++i) tokens.push_back(static_cast<Token>(3 + (variant * 61 + i * 37) % 311));
  return tokens;
}

Result<std::unique_ptr<Runtime>> open_choosing() {
  auto options = smallest(llamacpp::tiny_model(llamacpp::TinyKind::llama));
  options.choose_on_cpu = true;
  return llamacpp::open_test_model(options);
}

INSTANTIATE_RUNTIME_CONFORMANCE(Plain, opener(llamacpp::TinyKind::llama), tiny_text);
INSTANTIATE_RUNTIME_CONFORMANCE(SlidingWindow, opener(llamacpp::TinyKind::gemma3), tiny_text);
INSTANTIATE_RUNTIME_CONFORMANCE(Recurrent, opener(llamacpp::TinyKind::mamba), tiny_text);
INSTANTIATE_RUNTIME_CONFORMANCE(Hybrid, opener(llamacpp::TinyKind::lfm2), tiny_text);
INSTANTIATE_RUNTIME_CONFORMANCE(ChoosingBesideTheLogits, open_choosing, tiny_text);
INSTANTIATE_RUNTIME_CONFORMANCE(DefaultModel, open_default, llamacpp::test_text);

}  // namespace
}  // namespace sluice
