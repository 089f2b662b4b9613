#include "runtime/feed_rules.h"

#include <fmt/format.h>

#include <vector>

namespace sluice {
namespace {

Result<void> check_tokens(const Feed& feed, const Capabilities& capabilities) {
  for (const Token token : feed.tokens) {
    if (token >= 0 && static_cast<uint32_t>(token) < capabilities.vocabulary) continue;
    return fail(ErrorCode::invalid, fmt::format("token {} for sequence {} is outside the vocabulary of {}", token,
                                                feed.seq.raw, capabilities.vocabulary));
  }
  return {};
}

Result<void> check_place(const Feed& feed, const Capabilities& capabilities, Position computed) {
  if (feed.tokens.empty()) {
    return fail(ErrorCode::invalid, fmt::format("the feed of sequence {} has no tokens", feed.seq.raw));
  }
  if (feed.first != computed) {
    return fail(ErrorCode::invalid, fmt::format("sequence {} has {} tokens computed, and is fed from position {}",
                                                feed.seq.raw, computed, feed.first));
  }
  if (feed.tokens.size() > capabilities.window - static_cast<size_t>(computed)) {
    return fail(ErrorCode::capacity, fmt::format("sequence {} holds {} of {} tokens, and is fed {} more", feed.seq.raw,
                                                 computed, capabilities.window, feed.tokens.size()));
  }
  return {};
}

Result<void> check_wanted(const Feed& feed, const Capabilities& capabilities) {
  if (feed.logits != LogitsWanted::likeliest || capabilities.device_sampling.holds) return {};
  return fail(ErrorCode::invalid,
              fmt::format("no token is chosen beside the logits: {}", capabilities.device_sampling.reason));
}

Result<void> check_total(std::span<const Feed> feeds, const Capabilities& capabilities) {
  size_t total = 0;
  for (const Feed& feed : feeds) total += feed.tokens.size();
  if (total <= capabilities.call_tokens) return {};
  return fail(ErrorCode::invalid,
              fmt::format("a call takes {} tokens at most, not {}", capabilities.call_tokens, total));
}

}  // namespace

Result<void> check_sequence(SequenceId seq, const Capabilities& capabilities) {
  if (seq.raw >= 0 && static_cast<uint32_t>(seq.raw) < capabilities.sequences) return {};
  return fail(ErrorCode::invalid,
              fmt::format("there is no sequence {}: they are 0 .. {}", seq.raw, int64_t{capabilities.sequences} - 1));
}

Result<void> check_feeds(std::span<const Feed> feeds, const Capabilities& capabilities,
                         const std::function<Position(SequenceId)>& computed) {
  if (feeds.empty()) return fail(ErrorCode::invalid, "a call needs a feed");
  std::vector<bool> fed(capabilities.sequences);
  for (const Feed& feed : feeds) {
    if (auto known = check_sequence(feed.seq, capabilities); !known) return known;
    if (fed[feed.seq.raw]) {
      return fail(ErrorCode::invalid, fmt::format("sequence {} is fed twice in one call", feed.seq.raw));
    }
    fed[feed.seq.raw] = true;
    if (auto placed = check_place(feed, capabilities, computed(feed.seq)); !placed) return placed;
    if (auto spelled = check_tokens(feed, capabilities); !spelled) return spelled;
    if (auto offered = check_wanted(feed, capabilities); !offered) return offered;
  }
  return check_total(feeds, capabilities);
}

}  // namespace sluice
