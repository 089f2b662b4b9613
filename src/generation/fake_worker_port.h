// For tests of this folder: a worker that writes down what it is told, and a listener that writes down what it is told.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "generation/generations.h"

namespace sluice::generation {

class FakeWorkerPort final : public WorkerPort {
 public:
  bool ready() const override { return is_ready; }
  void submit(GenerationId id, const GenerationSpec& spec) override { submitted.emplace_back(id, spec); }
  void cancel(GenerationId id) override { cancelled.push_back(id); }

  std::vector<GenerationId> submitted_ids() const {
    std::vector<GenerationId> ids;
    for (const auto& [id, spec] : submitted) ids.push_back(id);
    return ids;
  }

  bool is_ready = true;
  std::vector<std::pair<GenerationId, GenerationSpec>> submitted;
  std::vector<GenerationId> cancelled;
};

// "accepted", "started", "output:TEXT", "finished", "failed:CODE"
inline std::string words_of(const proto::GenerationFact& fact) {
  if (std::holds_alternative<Accepted>(fact)) return "accepted";
  if (std::holds_alternative<Started>(fact)) return "started";
  if (const auto* output = std::get_if<Output>(&fact)) return "output:" + output->text;
  if (std::holds_alternative<Finished>(fact)) return "finished";
  return "failed:" + std::string(name_of(std::get<Failed>(fact).error.code));
}

struct Heard {
  std::vector<std::string> facts;
  Error error;  // of the last Failed
  Generations::Listener listener() {
    return [this](const proto::GenerationFact& fact) {
      facts.push_back(words_of(fact));
      if (const auto* failed = std::get_if<Failed>(&fact)) error = failed->error;
    };
  }
};

inline GenerationSpec spec_of(std::vector<Token> prompt, uint32_t max_tokens = 8) {
  GenerationSpec spec;
  spec.prompt = std::move(prompt);
  spec.max_tokens = max_tokens;
  return spec;
}

inline Output output_of(std::vector<Token> tokens, std::string text) {
  return {.tokens = std::move(tokens), .text = std::move(text), .logprobs = {}};
}

inline constexpr TimePoint kStart{};

}  // namespace sluice::generation
