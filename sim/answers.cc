#include "sim/answers.h"

#include <string>

namespace sluice::sim {

void Answers::accepted(const Record& record) {
  alone_.resize(record.id.raw);
  Alone& alone = alone_.back();
  alone.known = record.spec.prompt;
  for (const Token token : alone.known) alone.state = maker_.after(alone.state, token, alone.known.size() == 1).state;
}

void Answers::told(const Record& record, Token token) {
  Alone& alone = alone_.at(record.id.raw - 1);
  const auto forbidden = record.spec.ignore_eos ? std::span<const Token>(config_.end_tokens) : std::span<const Token>();
  const auto prompt = static_cast<uint32_t>(record.spec.prompt.size());
  const Choice expected =
      draws_.draw(alone.state, record.spec.sampling, alone.known, prompt, record.spec.choice, forbidden);
  if (token != expected.token) {
    verdict_.fail("an answer is the one its generation gets alone",
                  "generation " + std::to_string(record.id.raw) + ", token " +
                      std::to_string(alone.known.size() - prompt + 1) + ": " + std::to_string(token) + " instead of " +
                      std::to_string(expected.token));
  }
  alone.known.push_back(expected.token);
  alone.state = maker_.after(alone.state, expected.token, true).state;
}

}  // namespace sluice::sim
