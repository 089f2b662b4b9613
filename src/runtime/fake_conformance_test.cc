// The suite against the fake runtime, in the variants that capabilities allow.
#include "runtime/conformance.h"
#include "runtime/fake_runtime.h"

namespace sluice {
namespace {

std::vector<Token> some_tokens(size_t count, uint32_t variant) {
  std::vector<Token> tokens;
  for (size_t i = 0; i < count; ++i) tokens.push_back(static_cast<Token>((7 * i + 13 * variant + i * i) % 90));
  return tokens;
}

auto open_with(std::function<void(Capabilities&)> change) {
  return [change]() -> Result<std::unique_ptr<Runtime>> {
    FakeOptions options{.capabilities = fake_capabilities(8, 300, 100, {99})};
    change(options.capabilities);
    return std::make_unique<FakeRuntime>(std::move(options));
  };
}

INSTANTIATE_RUNTIME_CONFORMANCE(Fake, open_with([](Capabilities&) {}), some_tokens);

INSTANTIATE_RUNTIME_CONFORMANCE(FakeThatMovesNothing, open_with([](Capabilities& can) {
                                  can.truncate = TruncateReach::nowhere;
                                  can.copy = CopyCost::none;
                                  can.export_import = Capability::no("scripted");
                                }),
                                some_tokens);

INSTANTIATE_RUNTIME_CONFORMANCE(FakeThatTruncatesABit, open_with([](Capabilities& can) {
                                  can.truncate = TruncateReach::last_n;
                                  can.truncate_last_n = 2;
                                }),
                                some_tokens);

INSTANTIATE_RUNTIME_CONFORMANCE(FakeWithFusedPasses, open_with([](Capabilities& can) {
                                  can.equal_rows_per_pass = Capability::no("scripted");
                                  can.adjacent_ids_per_pass = Capability::no("scripted");
                                  can.mixed_passes = Capability::yes();
                                }),
                                some_tokens);

INSTANTIATE_RUNTIME_CONFORMANCE(FakeThatChooses,
                                open_with([](Capabilities& can) { can.device_sampling = Capability::yes(); }),
                                some_tokens);

INSTANTIATE_RUNTIME_CONFORMANCE(FakeWithNarrowPasses, open_with([](Capabilities& can) { can.pass_tokens = 3; }),
                                some_tokens);

}  // namespace
}  // namespace sluice
