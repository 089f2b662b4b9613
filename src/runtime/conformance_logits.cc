// What logits may depend on: the sequence's own tokens, and nothing else that a capability does not name.
#include "runtime/conformance.h"

namespace sluice {
namespace {

TEST_P(RuntimeConformance, EveryCapabilityHoldsOrHasAReason) {
  expect_reason(can().equal_rows_per_pass, "equal_rows_per_pass");
  expect_reason(can().adjacent_ids_per_pass, "adjacent_ids_per_pass");
  expect_reason(can().mixed_passes, "mixed_passes");
  expect_reason(can().export_import, "export_import");
  expect_reason(can().device_sampling, "device_sampling");
  expect_reason(can().draft_heads, "draft_heads");
  expect_reason(can().lora, "lora");
  expect_reason(can().embeddings, "embeddings");
  expect_reason(can().alone_equals_beside, "alone_equals_beside");
  expect_reason(can().chunk_equals_chunk, "chunk_equals_chunk");
  expect_reason(can().decode_equals_prefill, "decode_equals_prefill");
  expect_reason(can().copied_equals_computed, "copied_equals_computed");
  expect_reason(can().imported_equals_computed, "imported_equals_computed");
}

TEST_P(RuntimeConformance, BoundsAreConsistent) {
  EXPECT_GT(can().vocabulary, 0u);
  EXPECT_GT(can().pass_tokens, 0u);
  EXPECT_LE(can().pass_tokens, can().call_tokens);
  for (const Token end : can().end_tokens) EXPECT_LT(static_cast<uint32_t>(end), can().vocabulary);
}

TEST_P(RuntimeConformance, MemoryIsNotZero) {
  const MemoryUse use = runtime().memory();
  EXPECT_GT(use.weights_bytes, 0u);
  EXPECT_GT(use.kv_bytes, 0u);
  EXPECT_GT(use.compute_bytes, 0u);
}

TEST_P(RuntimeConformance, SameTokensGiveSameLogits) {
  const Tokens tokens = text(24);
  const Row first = fresh(kA, tokens);
  ASSERT_EQ(first.logits.size(), can().vocabulary);
  expect_same(fresh(kA, tokens), first, Capability::yes());
}

TEST_P(RuntimeConformance, OtherTokensGiveOtherLogits) {
  EXPECT_NE(fresh(kA, text(24, 0)).logits, fresh(kA, text(24, 1)).logits);
}

TEST_P(RuntimeConformance, EverySequenceIsAsGoodAsTheFirst) {
  const Tokens tokens = text(24);
  expect_same(fresh(kLast, tokens), fresh(kA, tokens), can().alone_equals_beside);
}

TEST_P(RuntimeConformance, PromptsBesideOthersGetTheLogitsOfPromptsAlone) {
  const Tokens tokens = text(16, 0), other = text(16, 1), third = text(16, 2);
  const Row alone = fresh(kB, tokens);
  for (const SequenceId seq : {kA, kB, kC}) runtime().drop(seq);
  const Piece together[] = {{kA, other}, {kB, tokens}, {kC, third}};
  const Rows rows = feed(together);
  ASSERT_EQ(rows.size(), 3u);
  expect_same(rows[1], alone, can().alone_equals_beside);
}

TEST_P(RuntimeConformance, SingleRowsBesideOthersGetTheLogitsOfSingleRowsAlone) {
  const Tokens tokens = text(17, 0), other = text(17, 1);
  const std::span prompt = std::span(tokens).first(16), next = std::span(tokens).last(1);
  feed(kB, prompt, LogitsWanted::none);
  const Row alone = feed_last(kB, next);
  runtime().drop(kB);
  feed(kB, prompt, LogitsWanted::none);
  feed(kA, std::span(other).first(16), LogitsWanted::none);
  const Piece together[] = {{kA, std::span(other).last(1)}, {kB, next}};
  const Rows rows = feed(together);
  ASSERT_EQ(rows.size(), 2u);
  expect_same(rows[1], alone, can().alone_equals_beside);
}

TEST_P(RuntimeConformance, LogitsDoNotDependOnWhereAPromptIsCut) {
  const Tokens tokens = text(60);
  const Row whole = fresh(kA, tokens);
  for (const size_t chunk : {2u, 3u, 16u, 31u, 58u}) {
    SCOPED_TRACE(testing::Message() << "chunks of " << chunk);
    runtime().drop(kA);
    expect_same(last_of(feed_in_chunks(kA, tokens, chunk, LogitsWanted::last)), whole, can().chunk_equals_chunk);
  }
}

TEST_P(RuntimeConformance, LogitsOfSingleRowsEqualThoseOfOneWideCall) {
  const Tokens tokens = text(24);
  const Row whole = fresh(kA, tokens);
  runtime().drop(kA);
  feed(kA, std::span(tokens).first(16), LogitsWanted::none);
  Row last;
  for (size_t i = 16; i < tokens.size(); ++i) last = feed_last(kA, std::span(tokens).subspan(i, 1));
  expect_same(last, whole, can().decode_equals_prefill);
}

TEST_P(RuntimeConformance, WantedRowsComeInTheOrderOfTheFeeds) {
  const Tokens a = text(5, 0), b = text(4, 1), c = text(3, 2);
  const Piece pieces[] = {{kA, a, LogitsWanted::last}, {kB, b, LogitsWanted::none}, {kC, c, LogitsWanted::all}};
  const Rows rows = feed(pieces);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].seq, kA);
  EXPECT_EQ(rows[0].position, 4);
  for (Position i = 0; i < 3; ++i) {
    EXPECT_EQ(rows[1 + i].seq, kC);
    EXPECT_EQ(rows[1 + i].position, i);
  }
}

TEST_P(RuntimeConformance, AllRowsOfAFeedEndWithItsLastRow) {
  const Tokens tokens = text(12);
  const Row last = fresh(kA, tokens);
  runtime().drop(kA);
  const Rows all = feed(kA, tokens, LogitsWanted::all);
  ASSERT_EQ(all.size(), tokens.size());
  expect_same(all.back(), last, can().chunk_equals_chunk);
}

TEST_P(RuntimeConformance, AFullWindowIsComputedAndNotOneTokenMore) {
  const Tokens tokens = text(can().window);
  const Rows rows = feed_in_chunks(kA, tokens, can().call_tokens - 1, LogitsWanted::last);
  EXPECT_EQ(runtime().computed(kA), static_cast<Position>(can().window));
  EXPECT_EQ(last_of(rows).position, static_cast<Position>(can().window) - 1);
  const Tokens more = text(1);
  expect_refused({{kA, more, static_cast<Position>(can().window), LogitsWanted::last}});
}

}  // namespace
}  // namespace sluice
