// One suite that every runtime passes: what runtime.h promises, and that a capability which does not hold is refused in
// words instead of computed wrongly. The fake runtime passes it first. An adapter's test links sluice::conformance and
// says
//   INSTANTIATE_RUNTIME_CONFORMANCE(Fake, open, tokens);
// Refuses to know any runtime. Lifetime: a runtime is opened for each test.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <span>
#include <vector>

#include "runtime/runtime.h"

namespace sluice {

struct ConformanceSubject {
  // At least 8 sequences, a window of at least 256 tokens, and calls of at least 64.
  std::function<Result<std::unique_ptr<Runtime>>()> open;
  // `count` valid tokens; texts of different `variant` differ from their first token on.
  std::function<std::vector<Token>(size_t count, uint32_t variant)> tokens;
};

// Without this a test's name would hold the subject's bytes, which differ in every run.
inline void PrintTo(const ConformanceSubject&, std::ostream* out) { *out << "runtime"; }

class RuntimeConformance : public testing::TestWithParam<ConformanceSubject> {
 protected:
  struct Row {
    SequenceId seq;
    Position position = 0;
    std::vector<float> logits;
  };
  static constexpr SequenceId kA{0}, kB{1}, kC{2}, kD{3}, kLast{7}, kNone{-1};
  using Tokens = std::vector<Token>;
  using Rows = std::vector<Row>;

  void SetUp() override;

  Runtime& runtime() { return *runtime_; }
  const Capabilities& can() const { return runtime_->capabilities(); }
  Tokens text(size_t count, uint32_t variant = 0) const { return GetParam().tokens(count, variant); }

  // Feeds that continue their sequences, in one call that must succeed.
  struct Piece {
    SequenceId seq;
    std::span<const Token> tokens;
    LogitsWanted logits = LogitsWanted::last;
  };
  Rows feed(std::span<const Piece> pieces);
  Rows feed(SequenceId seq, std::span<const Token> tokens, LogitsWanted logits = LogitsWanted::last);
  // The same in calls of `chunk` tokens; a piece of one token is joined to the one before it.
  Rows feed_in_chunks(SequenceId seq, std::span<const Token> tokens, size_t chunk, LogitsWanted logits);
  // The last of the wanted rows; empty, and the test failed, where there is none.
  Row feed_last(SequenceId seq, std::span<const Token> tokens);
  static Row last_of(const Rows& rows);
  // The last row of `tokens` computed in `seq` from nothing.
  Row fresh(SequenceId seq, std::span<const Token> tokens);

  // A call that breaks the rules: its error is one of invalid and capacity, nothing is computed and nothing emitted.
  void expect_refused(std::vector<Feed> feeds);
  // Bit by bit where `exact` holds; else close, as two ways to round one sum are.
  static void expect_same(const Row& got, const Row& wanted, const Capability& exact);
  static void expect_reason(const Capability& capability, const char* name);

 private:
  std::unique_ptr<Runtime> runtime_;
};

}  // namespace sluice

#define INSTANTIATE_RUNTIME_CONFORMANCE(name, open_runtime, valid_tokens)                               \
  INSTANTIATE_TEST_SUITE_P(name, RuntimeConformance,                                                    \
                           ::testing::Values(::sluice::ConformanceSubject{open_runtime, valid_tokens}), \
                           [](const auto&) { return std::string("Runtime"); })
