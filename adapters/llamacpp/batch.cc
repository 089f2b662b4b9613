#include "adapters/llamacpp/batch.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "llama.h"

namespace sluice::llamacpp {
namespace {

size_t outputs_of(const Feed& feed) {
  switch (feed.logits) {
    case LogitsWanted::none: return 0;
    case LogitsWanted::last:
    case LogitsWanted::likeliest: return 1;
    case LogitsWanted::all: return feed.tokens.size();
  }
  UNREACHABLE();
}

// The first `tokens` of a feed that wants all its rows, and what is left of it.
Feed split_off(Feed& feed, size_t tokens) {
  Feed head = feed;
  head.tokens = feed.tokens.first(tokens);
  feed.tokens = feed.tokens.subspan(tokens);
  feed.first += static_cast<Position>(tokens);
  return head;
}

}  // namespace

std::vector<std::vector<Feed>> cut_by_outputs(std::span<const Feed> feeds, uint32_t outputs_max) {
  std::vector<std::vector<Feed>> calls(1);
  size_t room = outputs_max;
  for (Feed feed : feeds) {
    while (outputs_of(feed) > room) {
      if (feed.logits == LogitsWanted::all && room > 0) calls.back().push_back(split_off(feed, room));
      calls.emplace_back();
      room = outputs_max;
    }
    room -= outputs_of(feed);
    calls.back().push_back(feed);
  }
  return calls;
}

std::vector<size_t> by_sequence(std::span<const Feed> feeds) {
  std::vector<size_t> order(feeds.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [feeds](size_t i) { return feeds[i].seq.raw; });
  return order;
}

Batch::Batch(llama_context* context) : batch_(llama_batch_ext_init(context)) {}

void Batch::fill(std::span<const Feed> feeds) {
  llama_batch_ext_clear(batch_.get());
  rows_ = 0;
  first_rows_.assign(feeds.size(), 0);
  for (const size_t index : by_sequence(feeds)) {
    first_rows_[index] = rows_;
    add(feeds[index]);
  }
}

void Batch::add(const Feed& feed) {
  for (size_t i = 0; i < feed.tokens.size(); ++i) {
    const int32_t row = llama_batch_ext_add_token(batch_.get(), feed.seq.raw, feed.tokens[i]);
    CHECK(row == rows_);
    const llama_pos position = feed.first + static_cast<Position>(i);
    llama_batch_ext_set_pos(batch_.get(), row, &position);
    const bool last = i + 1 == feed.tokens.size();
    const bool wanted = feed.logits == LogitsWanted::all || (feed.logits != LogitsWanted::none && last);
    llama_batch_ext_set_output_logits(batch_.get(), row, wanted);
    ++rows_;
  }
}

}  // namespace sluice::llamacpp
