// The loaded model: it reads as text, and passes the conformance suite.
#include "adapters/fake/fake_model.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "adapters/fake/vocabulary.h"
#include "base/utf8.h"
#include "runtime/conformance.h"

namespace sluice::fake {
namespace {

class TempModel {
 public:
  explicit TempModel(const std::string& text) : path_(testing::TempDir() + "fake-model-" + unique_name()) {
    std::ofstream(path_) << text;
  }
  ~TempModel() { std::filesystem::remove(path_); }
  LoadOptions options() const {
    LoadOptions options;
    options.model_path = path_;
    options.window = 512;
    options.batch = 256;
    options.ubatch = 64;
    return options;
  }

 private:
  static std::string unique_name() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(test->test_suite_name()) + test->name();
    std::replace(name.begin(), name.end(), '/', '-');
    return name;
  }
  std::string path_;
};

Result<worker::LoadedModel> load(const LoadOptions& options) {
  return load_model(options, [](float) {}, [](Duration) {});
}

Result<std::unique_ptr<Runtime>> open_plain() {
  auto model = load(TempModel("").options());
  if (!model) return std::unexpected(model.error());
  return std::move(model->runtime);
}

std::vector<Token> letters(size_t count, uint32_t variant) {
  std::vector<Token> tokens;
  for (size_t i = 0; i < count; ++i) tokens.push_back(static_cast<Token>('a' + (i * i + 3 * i + 7 * variant) % 26));
  return tokens;
}

INSTANTIATE_RUNTIME_CONFORMANCE(FakeModel, open_plain, letters);

class Best : public LogitsSink {
 public:
  void on_logits(SequenceId, Position, std::span<const float> row) override {
    token = static_cast<Token>(std::max_element(row.begin(), row.end()) - row.begin());
  }
  Token token = 0;
};

// The greedy continuation, without its end token.
std::vector<Token> say(Runtime& runtime, std::vector<Token> next, size_t length) {
  std::vector<Token> said;
  Best best;
  runtime.drop(SequenceId{0});
  while (said.size() < length) {
    const Feed feed{SequenceId{0}, next, runtime.computed(SequenceId{0}), LogitsWanted::last};
    EXPECT_TRUE(runtime.step({&feed, 1}, best));
    if (best.token == kEnd) break;
    said.push_back(best.token);
    next = {best.token};
  }
  return said;
}

TEST(FakeModel, SpeaksValidVariedUtf8) {
  const auto model = load(TempModel("end_every = 1000000").options());
  ASSERT_TRUE(model);
  size_t wide = 0;
  for (const char first : std::string("abcdef")) {
    std::string text;
    for (const Token token : say(*model->runtime, {first}, 400)) text += model->token_bytes->bytes_of(token);
    while (!text.empty() && (static_cast<uint8_t>(text.back()) & 0x80)) text.pop_back();  // cut by the length
    EXPECT_EQ(replace_broken_utf8(text), text);
    wide += std::count_if(text.begin(), text.end(), [](char byte) { return static_cast<uint8_t>(byte) >= 0xc0; });
  }
  EXPECT_GT(wide, 10u);
}

TEST(FakeModel, EndsAboutAsOftenAsItsFileSays) {
  const auto model = load(TempModel("end_every = 10").options());
  ASSERT_TRUE(model);
  size_t tokens = 0;
  for (int prompt = 0; prompt < 200; ++prompt) {
    tokens += say(*model->runtime, {static_cast<Token>('a' + prompt % 26), static_cast<Token>(prompt % 10 + '0')}, 200)
                  .size();
  }
  EXPECT_GT(tokens, 200u * 5);
  EXPECT_LT(tokens, 200u * 20);
}

TEST(FakeModel, TakesTheTimeThatItsFileSays) {
  Duration spent{};
  const TempModel file("load_ms = 100\ncall_us = 50\nrow_us = 5\n");
  auto model = load_model(file.options(), [](float) {}, [&](Duration time) { spent += time; });
  ASSERT_TRUE(model);
  EXPECT_EQ(spent, std::chrono::milliseconds(100));
  spent = {};
  say(*model->runtime, {'a', 'b', 'c'}, 1);
  EXPECT_EQ(spent, std::chrono::microseconds(65));
}

TEST(FakeModel, IsBoundByTheOptionsItIsLoadedWith) {
  LoadOptions options = TempModel("").options();
  const TempModel file("window = 300");
  options.model_path = file.options().model_path;
  options.lanes = 3;
  const auto model = load(options);
  ASSERT_TRUE(model);
  const Capabilities& can = model->runtime->capabilities();
  EXPECT_EQ(can.sequences, 3u);
  EXPECT_EQ(can.window, 300u);
  EXPECT_EQ(can.call_tokens, 256u);
  EXPECT_EQ(can.pass_tokens, 64u);
}

TEST(FakeModel, ALoadErrorIsTold) {
  const auto model = load(TempModel("load_error = out of weights").options());
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().message, "out of weights");
}

TEST(FakeModel, ATuningIsMadeWhereItIsAskedFor) {
  TempModel file("tuning = on 3");
  auto options = file.options();
  EXPECT_FALSE(load(options)->tuning);
  options.tune = true;
  const auto model = load(options);
  ASSERT_TRUE(model) << model.error().message;
  ASSERT_TRUE(model->tuning);
  EXPECT_EQ(model->tuning->choice, (TuningChoice{true, 3}));
  EXPECT_NE(model->system_info.find("flash attention on, threads 3"), std::string::npos) << model->system_info;
}

}  // namespace
}  // namespace sluice::fake
