#include "bench/run/request_facts.h"

namespace sluice::bench {
namespace {

uint32_t us_between(TimePoint from, TimePoint to) {
  return static_cast<uint32_t>(std::chrono::duration_cast<std::chrono::microseconds>(to - from).count());
}

}  // namespace

uint64_t text_hash(std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325;
  for (const unsigned char byte : text) hash = (hash ^ byte) * 0x100000001B3;
  return hash;
}

RequestFacts facts_of(const Asked& asked, TimePoint sample_begun) {
  const Answer& answer = asked.answer;
  RequestFacts facts;
  facts.label = asked.ask.label;
  facts.sent_ms = to_ms(answer.sent - sample_begun);
  facts.done_ms = to_ms(answer.ended - sample_begun);
  facts.status = answer.status;
  facts.prompt_tokens = answer.prompt_tokens;
  facts.completion_tokens = answer.completion_tokens;
  facts.cached_tokens = answer.cached_tokens;
  facts.events = static_cast<uint32_t>(answer.pieces.size());
  facts.finish_reason = answer.finish_reason;
  facts.text_hash = text_hash(answer.text);
  facts.timings = answer.timings;
  for (const Fault fault : answer.faults) facts.faults.emplace_back(name_of(fault));
  TimePoint last = answer.sent;
  for (const Piece& piece : answer.pieces) {
    facts.arrivals_us.push_back(us_between(last, piece.at));
    facts.sizes.push_back(piece.bytes);
    last = piece.at;
  }
  if (!answer.pieces.empty()) {
    facts.first_ms = to_ms(answer.pieces.front().at - sample_begun);
    facts.last_ms = to_ms(last - sample_begun);
  }
  return facts;
}

}  // namespace sluice::bench
