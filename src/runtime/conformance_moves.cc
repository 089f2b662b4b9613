// Moving KV instead of computing it: truncate, copy, export and import, drop.
#include "runtime/conformance.h"

namespace sluice {
namespace {

void expect_code(const Result<void>& result, ErrorCode code) {
  ASSERT_FALSE(result);
  EXPECT_EQ(name_of(result.error().code), name_of(code));
  EXPECT_FALSE(result.error().message.empty());
}

bool reaches(const Capabilities& can, uint32_t back) {
  return can.truncate == TruncateReach::anywhere ||
         (can.truncate == TruncateReach::last_n && back <= can.truncate_last_n);
}

TEST_P(RuntimeConformance, TruncatedThenExtendedEqualsFreshOrIsRefused) {
  const Tokens right = text(40, 0), wrong = text(40, 1);
  const Row wanted = fresh(kA, right);
  for (const uint32_t back : {1u, 2u, 10u, 19u}) {
    SCOPED_TRACE(testing::Message() << back << " tokens back");
    runtime().drop(kA);
    feed(kA, std::span(right).first(20), LogitsWanted::none);
    feed(kA, std::span(wrong).first(back), LogitsWanted::none);
    const auto cut = runtime().truncate(kA, 20);
    EXPECT_EQ(cut.has_value(), reaches(can(), back));
    if (!cut) {
      expect_code(cut, ErrorCode::unsupported);
      EXPECT_EQ(runtime().computed(kA), static_cast<Position>(20 + back));
      continue;
    }
    EXPECT_EQ(runtime().computed(kA), 20);
    expect_same(feed_last(kA, std::span(right).last(20)), wanted, can().chunk_equals_chunk);
  }
}

TEST_P(RuntimeConformance, ARefusedTruncationChangesNoLogits) {
  if (reaches(can(), 30)) GTEST_SKIP() << "this runtime truncates that far";
  const Tokens tokens = text(60);
  const Row wanted = fresh(kA, tokens);
  runtime().drop(kA);
  feed(kA, std::span(tokens).first(40), LogitsWanted::none);
  expect_code(runtime().truncate(kA, 10), ErrorCode::unsupported);
  expect_same(feed_last(kA, std::span(tokens).last(20)), wanted, can().chunk_equals_chunk);
}

TEST_P(RuntimeConformance, TruncationToItsOwnLengthChangesNothing) {
  const Tokens tokens = text(20);
  feed(kA, tokens);
  EXPECT_TRUE(runtime().truncate(kA, 20));
  EXPECT_EQ(runtime().computed(kA), 20);
}

TEST_P(RuntimeConformance, TruncationOutsideItsSequenceIsInvalid) {
  feed(kA, text(20));
  expect_code(runtime().truncate(kA, 21), ErrorCode::invalid);
  expect_code(runtime().truncate(kA, -1), ErrorCode::invalid);
  expect_code(runtime().truncate(kNone, 0), ErrorCode::invalid);
  expect_code(runtime().truncate(SequenceId{static_cast<int32_t>(can().sequences)}, 0), ErrorCode::invalid);
  EXPECT_EQ(runtime().computed(kA), 20);
}

TEST_P(RuntimeConformance, CopiedThenExtendedEqualsComputed) {
  const Tokens tokens = text(40), other = text(10, 1);
  const Row wanted = fresh(kC, tokens);
  feed(kA, std::span(tokens).first(20), LogitsWanted::none);
  feed(kA, other, LogitsWanted::none);
  const auto copied = runtime().copy(kA, kB, 20);
  if (can().copy == CopyCost::none) return expect_code(copied, ErrorCode::unsupported);
  ASSERT_TRUE(copied) << copied.error().message;
  EXPECT_EQ(runtime().computed(kB), 20);
  const Capability exact = can().copied_equals_computed.holds ? can().chunk_equals_chunk : can().copied_equals_computed;
  expect_same(feed_last(kB, std::span(tokens).last(20)), wanted, exact);
}

TEST_P(RuntimeConformance, ACopyLeavesItsSourceAsItWas) {
  if (can().copy == CopyCost::none) GTEST_SKIP() << "this runtime does not copy";
  const Tokens tokens = text(40), other = text(10, 1);
  const Row wanted = fresh(kA, tokens);
  runtime().drop(kA);
  feed(kA, std::span(tokens).first(20), LogitsWanted::none);
  ASSERT_TRUE(runtime().copy(kA, kB, 10));
  EXPECT_EQ(runtime().computed(kA), 20);
  feed(kB, other, LogitsWanted::none);
  expect_same(feed_last(kA, std::span(tokens).last(20)), wanted, can().chunk_equals_chunk);
}

TEST_P(RuntimeConformance, ACopyReplacesWhatItsTargetHeld) {
  if (can().copy == CopyCost::none) GTEST_SKIP() << "this runtime does not copy";
  const Tokens tokens = text(30), other = text(50, 1);
  const Row wanted = fresh(kC, tokens);
  feed(kB, other, LogitsWanted::none);
  feed(kA, std::span(tokens).first(20), LogitsWanted::none);
  ASSERT_TRUE(runtime().copy(kA, kB, 20));
  EXPECT_EQ(runtime().computed(kB), 20);
  expect_same(feed_last(kB, std::span(tokens).last(10)), wanted, can().chunk_equals_chunk);
}

TEST_P(RuntimeConformance, CopiesOneAfterAnotherKeepEachTheirOwn) {
  if (can().copy == CopyCost::none) GTEST_SKIP() << "this runtime does not copy";
  const Tokens tokens = text(30);
  const Row wanted = fresh(SequenceId{3}, tokens);
  feed(kA, std::span(tokens).first(24), LogitsWanted::none);
  ASSERT_TRUE(runtime().copy(kA, kB, 20));
  ASSERT_TRUE(runtime().copy(kB, kC, 12));
  runtime().drop(kA);
  expect_same(feed_last(kC, std::span(tokens).subspan(12)), wanted, can().chunk_equals_chunk);
  expect_same(feed_last(kB, std::span(tokens).subspan(20)), wanted, can().chunk_equals_chunk);
}

TEST_P(RuntimeConformance, CopiesThatCannotBeAreInvalid) {
  if (can().copy == CopyCost::none) GTEST_SKIP() << "this runtime does not copy";
  feed(kA, text(20));
  expect_code(runtime().copy(kA, kA, 10), ErrorCode::invalid);
  expect_code(runtime().copy(kA, kB, 21), ErrorCode::invalid);
  expect_code(runtime().copy(kA, kB, 0), ErrorCode::invalid);
  expect_code(runtime().copy(kB, kC, 1), ErrorCode::invalid);
  expect_code(runtime().copy(kNone, kB, 1), ErrorCode::invalid);
  expect_code(runtime().copy(kA, kNone, 1), ErrorCode::invalid);
  EXPECT_EQ(runtime().computed(kA), 20);
  EXPECT_EQ(runtime().computed(kB), 0);
}

TEST_P(RuntimeConformance, ExportedThenImportedEqualsComputed) {
  const Tokens tokens = text(40), other = text(10, 1);
  const Row wanted = fresh(kC, tokens);
  feed(kA, std::span(tokens).first(30), LogitsWanted::none);
  auto snapshot = runtime().export_kv(kA, 20);
  if (!can().export_import.holds) {
    ASSERT_FALSE(snapshot);
    EXPECT_EQ(snapshot.error().code, ErrorCode::unsupported);
    return expect_code(runtime().import_kv(kB, Snapshot{}), ErrorCode::unsupported);
  }
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  EXPECT_EQ(snapshot->tokens, 20);
  runtime().drop(kA);
  feed(kB, other, LogitsWanted::none);
  ASSERT_TRUE(runtime().import_kv(kB, *snapshot));
  EXPECT_EQ(runtime().computed(kB), 20);
  const Capability exact =
      can().imported_equals_computed.holds ? can().chunk_equals_chunk : can().imported_equals_computed;
  expect_same(feed_last(kB, std::span(tokens).last(20)), wanted, exact);
}

// A runtime may put a copy off until it next computes.
TEST_P(RuntimeConformance, ACopyIsExportedAndImportedOverLikeAnyOther) {
  if (!can().export_import.holds) GTEST_SKIP() << can().export_import.reason;
  if (can().copy == CopyCost::none) GTEST_SKIP() << "this runtime does not copy";
  const Tokens tokens = text(40), other = text(40, 1);
  const Row wanted = fresh(kD, tokens), wanted_other = fresh(kC, other);
  feed(kA, std::span(tokens).first(20), LogitsWanted::none);
  runtime().drop(kC);
  feed(kC, std::span(other).first(20), LogitsWanted::none);
  auto saved = runtime().export_kv(kC, 20);
  ASSERT_TRUE(saved);
  ASSERT_TRUE(runtime().copy(kA, kB, 20));
  auto snapshot = runtime().export_kv(kB, 20);
  ASSERT_TRUE(snapshot);
  ASSERT_TRUE(runtime().copy(kA, kC, 20));
  ASSERT_TRUE(runtime().import_kv(kC, *saved));
  runtime().drop(kA);
  ASSERT_TRUE(runtime().import_kv(kA, *snapshot));
  const Capability exact =
      can().imported_equals_computed.holds ? can().chunk_equals_chunk : can().imported_equals_computed;
  expect_same(feed_last(kA, std::span(tokens).last(20)), wanted, exact);
  expect_same(feed_last(kC, std::span(other).last(20)), wanted_other, exact);
}

TEST_P(RuntimeConformance, ABrokenSnapshotIsInvalidAndChangesNothing) {
  if (!can().export_import.holds) GTEST_SKIP() << can().export_import.reason;
  feed(kA, text(20));
  auto snapshot = runtime().export_kv(kA, 20);
  ASSERT_TRUE(snapshot);
  snapshot->bytes.pop_back();
  expect_code(runtime().import_kv(kA, *snapshot), ErrorCode::invalid);
  expect_code(runtime().import_kv(kA, Snapshot{}), ErrorCode::invalid);
  EXPECT_EQ(runtime().computed(kA), 20);
  EXPECT_FALSE(runtime().export_kv(kA, 21));
  EXPECT_FALSE(runtime().export_kv(kB, 1));
}

TEST_P(RuntimeConformance, ADroppedSequenceIsEmptyAndUsable) {
  const Tokens tokens = text(20);
  const Row wanted = fresh(kA, tokens);
  feed(kB, text(30, 1));
  runtime().drop(kB);
  EXPECT_EQ(runtime().computed(kB), 0);
  runtime().drop(kB);
  runtime().drop(kNone);
  expect_same(feed_last(kB, tokens), wanted, can().alone_equals_beside);
  EXPECT_EQ(runtime().computed(kA), 20);
}

TEST_P(RuntimeConformance, SequencesThatAreNotHaveNothingComputed) {
  EXPECT_EQ(runtime().computed(kNone), 0);
  EXPECT_EQ(runtime().computed(SequenceId{static_cast<int32_t>(can().sequences)}), 0);
}

}  // namespace
}  // namespace sluice
