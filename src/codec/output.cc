#include "codec/output.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/utf8.h"

namespace sluice {
namespace {

// The longest suffix of `text` that is a beginning of `stop`, but not all of it.
size_t overlap(std::string_view text, std::string_view stop) {
  size_t length = std::min(text.size(), stop.size() - 1);
  while (!text.ends_with(stop.substr(0, length))) --length;
  return length;
}

}  // namespace

OutputText::OutputText(std::vector<std::string> stop) : stop_(std::move(stop)) {
  for (const std::string& text : stop_) CHECK(!text.empty() && is_utf8(text));
}

OutputText::Piece OutputText::add(std::string_view bytes) {
  CHECK(!stopped_);
  decode(bytes);
  return release();
}

std::string OutputText::flush() {
  if (!undecoded_.empty()) held_ += kReplacementCharacter;
  undecoded_.clear();
  std::string text = release().text;
  text += std::exchange(held_, {});
  return text;
}

// Moves whole characters, and replacements of what cannot become one, to the end of held_.
void OutputText::decode(std::string_view bytes) {
  undecoded_ += bytes;
  std::string_view rest = undecoded_;
  while (!rest.empty()) {
    const Utf8Start start = utf8_start(rest);
    if (start.kind == Utf8Kind::incomplete) break;
    held_ += start.kind == Utf8Kind::whole ? rest.substr(0, start.bytes) : kReplacementCharacter;
    rest.remove_prefix(start.bytes);
  }
  undecoded_.erase(0, undecoded_.size() - rest.size());
}

OutputText::Piece OutputText::release() {
  if (const std::optional<Match> match = first_match()) {
    stopped_ = true;
    undecoded_.clear();
    return {std::exchange(held_, {}).substr(0, match->start), *match->stop};
  }
  const size_t ready = held_.size() - bytes_to_hold();
  Piece piece{held_.substr(0, ready), {}};
  held_.erase(0, ready);
  return piece;
}

// A stop string begins with a whole character, so a match, and what is held for one, begins at a character of held_.
std::optional<OutputText::Match> OutputText::first_match() const {
  std::optional<Match> first;
  for (const std::string& stop : stop_) {
    const size_t start = held_.find(stop);
    if (start == std::string::npos) continue;
    const Match match{start, &stop};
    const auto order = [](const Match& m) { return std::pair(m.end(), m.start); };
    if (!first || order(match) < order(*first)) first = match;
  }
  return first;
}

size_t OutputText::bytes_to_hold() const {
  size_t longest = 0;
  for (const std::string& stop : stop_) longest = std::max(longest, overlap(held_, stop));
  return longest;
}

}  // namespace sluice
