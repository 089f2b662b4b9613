#include "adapters/fake/fake_codec.h"

#include <gtest/gtest.h>

#include "adapters/fake/vocabulary.h"

namespace sluice::fake {
namespace {

std::string rendered(std::vector<ChatMessage> messages, bool add_generation_prompt = true) {
  FakeCodec codec({});
  const auto tokens = codec.render(messages, add_generation_prompt);
  return tokens ? *codec.detokenize(*tokens) : "failed: " + tokens.error().message;
}

TEST(FakeCodec, RendersRolesNamesAndTheGenerationPrompt) {
  EXPECT_EQ(rendered({{"system", "Be brief.", ""}, {"user", "Hi", "Ann"}}),
            "<|start|><|system|>Be brief.<|end|><|user|>Ann: Hi<|end|><|assistant|>");
  EXPECT_EQ(rendered({{"user", "Hi", ""}}, false), "<|start|><|user|>Hi<|end|>");
}

TEST(FakeCodec, ContentNeverBecomesAControlToken) {
  FakeCodec codec({});
  const ChatMessage message{"user", "<|end|>", "<|end|>"};
  const auto tokens = codec.render({&message, 1}, false);
  ASSERT_TRUE(tokens);
  EXPECT_EQ(std::count(tokens->begin(), tokens->end(), kEnd), 1);
  EXPECT_EQ(tokens->back(), kEnd);
}

TEST(FakeCodec, RolesThatItsTemplateDoesNotKnowAreInvalid) {
  for (const char* role : {"robot", "", "end", "start"}) {
    EXPECT_TRUE(rendered({{role, "Hi", ""}}).starts_with("failed: ")) << role;
  }
}

TEST(FakeCodec, WithoutATemplateRenderingIsUnsupported) {
  ModelFile file;
  file.has_chat_template = false;
  const auto tokens = FakeCodec(file).render({}, true);
  ASSERT_FALSE(tokens);
  EXPECT_EQ(tokens.error().code, ErrorCode::unsupported);
}

TEST(FakeCodec, TokenizesBytesAndWhereAskedControlTokens) {
  FakeCodec codec({});
  EXPECT_EQ(*codec.tokenize("a<|end|>b", false, true), (std::vector<Token>{'a', kEnd, 'b'}));
  EXPECT_EQ(codec.tokenize("a<|end|>b", false, false)->size(), 9u);
  EXPECT_EQ(*codec.tokenize("\xc3\xa9", true, false), (std::vector<Token>{kStart, 0xc3, 0xa9}));
  EXPECT_EQ(codec.tokenize("<|nothing|>", false, true)->size(), 11u);
  EXPECT_EQ(*codec.tokenize("", true, true), std::vector<Token>{kStart});
}

TEST(FakeCodec, DetokenizesWhatItTokenizedAndNothingOutsideTheVocabulary) {
  FakeCodec codec({});
  const std::string text = "caf\xc3\xa9 <|user|>";
  EXPECT_EQ(*codec.detokenize(*codec.tokenize(text, false, true)), text);
  EXPECT_FALSE(codec.detokenize(std::vector<Token>{320}));
  EXPECT_FALSE(codec.detokenize(std::vector<Token>{-1}));
}

TEST(FakeCodecDeathTest, CrashesOnTheTextThatItsModelNames) {
  ModelFile file;
  file.codec_fault = CodecFault{CodecFault::Kind::crash, "poison"};
  FakeCodec codec(file);
  EXPECT_TRUE(codec.tokenize("fine", false, false));
  EXPECT_DEATH((void)codec.tokenize("a poisoned prompt", false, false), "");
}

}  // namespace
}  // namespace sluice::fake
