#include "bench/answer/answer.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/check.h"
#include "base/utf8.h"
#include "bench/answer/events.h"

namespace sluice::bench {
namespace {

namespace json = boost::json;

constexpr size_t kTroubleMax = 300;
// A piece of text is a token, or a few: a token that ends in the middle of a character comes with the next one.
constexpr double kTokensPerEventMax = 1.05;
constexpr uint32_t kTokensUncounted = 2;

const json::value* find(const json::value& from, std::string_view key) {
  const auto* object = from.if_object();
  const auto* found = object == nullptr ? nullptr : object->if_contains(key);
  return found == nullptr || found->is_null() ? nullptr : found;
}

std::string_view text_at(const json::value& from, std::string_view key) {
  const auto* found = find(from, key);
  const auto* text = found == nullptr ? nullptr : found->if_string();
  return text == nullptr ? std::string_view{} : std::string_view(*text);
}

std::optional<uint32_t> count_at(const json::value& from, std::string_view key) {
  const auto* found = find(from, key);
  boost::system::error_code ec;
  const auto count = found == nullptr ? 0u : found->to_number<uint32_t>(ec);
  return found == nullptr || ec ? std::nullopt : std::optional(count);
}

// The bytes of characters after the first of each: in common vocabularies each may be a token, and none is an event.
size_t further_bytes(std::string_view text) {
  return text.size() - static_cast<size_t>(std::ranges::count_if(text, begins_character));
}

std::string one_line(std::string_view text) {
  std::string line(text.substr(0, kTroubleMax));
  std::ranges::replace_if(line, [](unsigned char c) { return c < ' '; }, ' ');
  return line;
}

std::optional<Fault> fault_of(WireEnd end) {
  switch (end) {
    case WireEnd::whole: return std::nullopt;
    case WireEnd::unreachable: return Fault::unreachable;
    case WireEnd::reset: return Fault::reset;
    case WireEnd::cut: return Fault::cut_short;
    case WireEnd::silent: return Fault::timed_out;
    case WireEnd::endless: return Fault::endless;
    case WireEnd::not_http: return Fault::not_http;
  }
  UNREACHABLE();
}

class Reader final {
 public:
  Reader(const Recording& recording, const Expected& expected) : recording_(recording), expected_(expected) {}

  Answer read() {
    answer_.sent = recording_.sent;
    answer_.ended = recording_.ended;
    answer_.status = recording_.status;
    if (const auto fault = fault_of(recording_.end)) note(*fault, recording_.why);
    if (recording_.status >= 400) {
      note(Fault::refused, recording_.body);
    } else if (recording_.status != 0) {
      read_events();
    }
    if (!answer_.has(Gravity::failure)) judge();
    return std::move(answer_);
  }

 private:
  void note(Fault fault, std::string_view trouble = {}) {
    if (std::ranges::find(answer_.faults, fault) == answer_.faults.end()) answer_.faults.push_back(fault);
    if (answer_.trouble.empty()) answer_.trouble = one_line(trouble);
  }

  void read_events() {
    const auto events = events_of(recording_.body);
    answer_.pieces.reserve(events.size());
    for (const StreamEvent& event : events) {
      if (event.data == "[DONE]") {
        done_ = true;
        answer_.ended = arrival_of(recording_, event.end);
      } else {
        read_event(event);
      }
    }
    if (recording_.until_close && !done_ && answer_.finish_reason.empty()) note(Fault::cut_short);
    if (answer_.pieces.empty()) note(Fault::no_content, recording_.body);
  }

  void read_event(const StreamEvent& event) {
    boost::system::error_code ec;
    const json::value value = json::parse(event.data, ec);
    if (ec || !value.is_object()) return note(Fault::unreadable_event, event.data);
    if (find(value, "error") != nullptr) return note(Fault::error_event, event.data);
    if (const auto* choices = find(value, "choices"); choices != nullptr && choices->is_array()) {
      for (const json::value& choice : choices->get_array()) read_choice(choice, event.end);
    }
    if (const auto* usage = find(value, "usage")) read_usage(*usage);
    if (const auto* timings = find(value, "timings")) read_timings(*timings);
  }

  void read_choice(const json::value& choice, size_t end) {
    const auto* delta = find(choice, "delta");
    const json::value& part = delta == nullptr ? choice : *delta;
    const size_t had = answer_.text.size();
    for (const auto* key : {"reasoning_content", "reasoning", "content", "text"}) answer_.text += text_at(part, key);
    if (answer_.text.size() > had) {
      answer_.pieces.push_back({arrival_of(recording_, end), static_cast<uint32_t>(answer_.text.size() - had)});
    }
    if (const auto reason = text_at(choice, "finish_reason"); !reason.empty()) answer_.finish_reason = reason;
  }

  void read_usage(const json::value& usage) {
    if (const auto count = count_at(usage, "prompt_tokens")) answer_.prompt_tokens = count;
    if (const auto count = count_at(usage, "completion_tokens")) answer_.completion_tokens = count;
    const auto* details = find(usage, "prompt_tokens_details");
    if (details == nullptr) return;
    if (const auto count = count_at(*details, "cached_tokens")) answer_.cached_tokens = count;
  }

  void read_timings(const json::value& timings) {
    const auto* object = timings.if_object();
    if (object == nullptr) return;
    for (const auto& [name, value] : *object) {
      boost::system::error_code ec;
      if (!value.is_number()) continue;
      answer_.timings[std::string(name)] = value.to_number<double>(ec);
    }
  }

  void judge() {
    if (!answer_.completion_tokens) note(Fault::no_usage);
    if (!done_) note(Fault::no_done);
    if (answer_.finish_reason.empty()) note(Fault::no_finish_reason);
    const uint32_t tokens = answer_.tokens();
    if (expected_.exactly ? tokens != expected_.tokens : tokens > expected_.tokens) note(Fault::wrong_token_count);
    if (says_too_much(tokens)) note(Fault::over_reported);
    if (answer_.cached_tokens.value_or(0) > expected_.cached_max) note(Fault::from_cache);
  }

  // A server that drafts sends several tokens at once, and says how many it drafted.
  bool says_too_much(uint32_t tokens) const {
    const auto drafted = answer_.timings.find("draft_n");
    if (drafted != answer_.timings.end() && drafted->second > 0) return false;
    const auto apart = static_cast<double>(answer_.pieces.size() + further_bytes(answer_.text));
    return tokens > kTokensPerEventMax * apart + kTokensUncounted;
  }

  const Recording& recording_;
  const Expected& expected_;
  Answer answer_;
  bool done_ = false;
};

}  // namespace

bool Answer::has(Gravity gravity) const {
  return std::ranges::any_of(faults, [gravity](Fault fault) { return gravity_of(fault) == gravity; });
}

uint32_t Answer::tokens() const { return completion_tokens.value_or(static_cast<uint32_t>(pieces.size())); }

Duration Answer::first() const {
  CHECK(!pieces.empty());
  return pieces.front().at - sent;
}

Answer read_answer(const Recording& recording, const Expected& expected) { return Reader(recording, expected).read(); }

}  // namespace sluice::bench
