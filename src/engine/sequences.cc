#include "engine/sequences.h"

#include <algorithm>

#include "base/check.h"

namespace sluice::engine {

Sequences::Sequences(uint32_t count) : all_(count) { CHECK(count > 0 && count <= limits::sequences_max); }

const Sequence& Sequences::at(SequenceId seq) const {
  CHECK(seq.raw >= 0 && seq.raw < static_cast<int32_t>(all_.size()));
  return all_[static_cast<size_t>(seq.raw)];
}

Sequence& Sequences::mutable_at(SequenceId seq) { return const_cast<Sequence&>(at(seq)); }

IdSet Sequences::held() const {
  IdSet ids;
  for (size_t i = 0; i < all_.size(); ++i) ids.set(i, all_[i].holder.has_value());
  return ids;
}

bool Sequences::any_free() const {
  return std::ranges::any_of(all_, [](const Sequence& s) { return !s.holder; });
}

std::optional<SequenceId> Sequences::least_recently_used() const {
  std::optional<SequenceId> oldest;
  for (int32_t i = 0; i < static_cast<int32_t>(all_.size()); ++i) {
    const SequenceId id{i};
    if (at(id).is_cached() && (!oldest || at(id).last_use < at(*oldest).last_use)) oldest = id;
  }
  return oldest;
}

void Sequences::hold(SequenceId seq, GenerationId holder) {
  CHECK(!at(seq).holder);
  mutable_at(seq).holder = holder;
}

void Sequences::release(SequenceId seq) {
  CHECK(at(seq).holder);
  mutable_at(seq).holder.reset();
  mutable_at(seq).last_use = ++releases_;
}

void Sequences::append(SequenceId seq, std::span<const Token> piece) {
  Sequence& s = mutable_at(seq);
  CHECK(!s.lost);
  const bool all_wide = s.wide_upto == s.computed();
  s.tokens.insert(s.tokens.end(), piece.begin(), piece.end());
  if (all_wide && piece.size() >= 2) s.wide_upto = s.computed();
}

void Sequences::cut(SequenceId seq, Position upto) {
  Sequence& s = mutable_at(seq);
  CHECK(!s.lost && upto >= 0 && upto <= s.computed());
  s.tokens.resize(static_cast<size_t>(upto));
  s.wide_upto = std::min(s.wide_upto, upto);
}

void Sequences::clear(SequenceId seq) {
  Sequence& s = mutable_at(seq);
  s.tokens.clear();
  s.wide_upto = 0;
  s.lost = false;
}

void Sequences::lose(SequenceId seq) {
  clear(seq);
  mutable_at(seq).lost = true;
}

void Sequences::copy(SequenceId from, SequenceId to, Position upto) {
  const Sequence& source = at(from);
  CHECK(from != to && upto > 0 && upto <= source.computed());
  Sequence& target = mutable_at(to);
  target.tokens.assign(source.tokens.begin(), source.tokens.begin() + upto);
  target.wide_upto = std::min(source.wide_upto, upto);
  target.lost = false;
}

void Sequences::fill(SequenceId seq, std::span<const Token> tokens, Position wide_upto) {
  Sequence& target = mutable_at(seq);
  target.tokens.assign(tokens.begin(), tokens.end());
  target.wide_upto = wide_upto;
  target.lost = false;
}

}  // namespace sluice::engine
