#include "runtime/conformance.h"

#include <algorithm>
#include <cmath>

namespace sluice {
namespace {

std::vector<Position> computed_of(const Runtime& runtime) {
  std::vector<Position> computed;
  for (uint32_t seq = 0; seq < runtime.capabilities().sequences; ++seq) {
    computed.push_back(runtime.computed(SequenceId{static_cast<int32_t>(seq)}));
  }
  return computed;
}

float spread(std::span<const float> row) {
  const auto [low, high] = std::minmax_element(row.begin(), row.end());
  return *high - *low;
}

}  // namespace

void RuntimeConformance::SetUp() {
  auto opened = GetParam().open();
  ASSERT_TRUE(opened) << opened.error().message;
  runtime_ = std::move(*opened);
  ASSERT_GE(can().sequences, 8u);
  ASSERT_GE(can().window, 256u);
  ASSERT_GE(can().call_tokens, 64u);
}

RuntimeConformance::Rows RuntimeConformance::feed(std::span<const Piece> pieces) {
  struct Collect : LogitsSink {
    Rows rows;
    void on_logits(SequenceId seq, Position position, std::span<const float> row) override {
      rows.push_back({seq, position, {row.begin(), row.end()}});
    }
  } collect;
  std::vector<Feed> feeds;
  for (const Piece& piece : pieces) {
    feeds.push_back({piece.seq, piece.tokens, runtime().computed(piece.seq), piece.logits});
  }
  const auto stepped = runtime().step(feeds, collect);
  EXPECT_TRUE(stepped) << stepped.error().message;
  for (const Feed& fed : feeds) {
    EXPECT_EQ(runtime().computed(fed.seq), fed.first + static_cast<Position>(fed.tokens.size()));
  }
  return collect.rows;
}

RuntimeConformance::Rows RuntimeConformance::feed(SequenceId seq, std::span<const Token> tokens, LogitsWanted logits) {
  const Piece piece{seq, tokens, logits};
  return feed({&piece, 1});
}

RuntimeConformance::Rows RuntimeConformance::feed_in_chunks(SequenceId seq, std::span<const Token> tokens, size_t chunk,
                                                            LogitsWanted logits) {
  Rows rows;
  while (!tokens.empty()) {
    const size_t cut = tokens.size() <= chunk + 1 ? tokens.size() : chunk;
    for (Row& row : feed(seq, tokens.first(cut), logits)) rows.push_back(std::move(row));
    tokens = tokens.subspan(cut);
  }
  return rows;
}

RuntimeConformance::Row RuntimeConformance::fresh(SequenceId seq, std::span<const Token> tokens) {
  runtime().drop(seq);
  return feed_last(seq, tokens);
}

RuntimeConformance::Row RuntimeConformance::feed_last(SequenceId seq, std::span<const Token> tokens) {
  return last_of(feed(seq, tokens));
}

RuntimeConformance::Row RuntimeConformance::last_of(const Rows& rows) {
  EXPECT_FALSE(rows.empty());
  return rows.empty() ? Row{} : rows.back();
}

void RuntimeConformance::expect_refused(std::vector<Feed> feeds) {
  struct Nothing : LogitsSink {
    void on_logits(SequenceId, Position, std::span<const float>) override {
      ADD_FAILURE() << "a refused call computed";
    }
  } nothing;
  const auto before = computed_of(runtime());
  const auto stepped = runtime().step(feeds, nothing);
  ASSERT_FALSE(stepped);
  EXPECT_TRUE(stepped.error().code == ErrorCode::invalid || stepped.error().code == ErrorCode::capacity)
      << name_of(stepped.error().code);
  EXPECT_FALSE(stepped.error().message.empty());
  EXPECT_EQ(computed_of(runtime()), before);
}

void RuntimeConformance::expect_same(const Row& got, const Row& wanted, const Capability& exact) {
  ASSERT_FALSE(wanted.logits.empty());
  ASSERT_EQ(got.logits.size(), wanted.logits.size());
  EXPECT_EQ(got.position, wanted.position);
  if (exact.holds) {
    EXPECT_EQ(got.logits, wanted.logits);
    return;
  }
  expect_reason(exact, "exactness");
  const float tolerance = 0.05f * spread(wanted.logits);
  for (size_t i = 0; i < wanted.logits.size(); ++i) {
    ASSERT_NEAR(got.logits[i], wanted.logits[i], tolerance) << "token " << i;
  }
}

void RuntimeConformance::expect_reason(const Capability& capability, const char* name) {
  EXPECT_EQ(capability.holds, capability.reason.empty()) << name << ": " << capability.reason;
}

}  // namespace sluice
