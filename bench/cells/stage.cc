#include "bench/cells/stage.h"

#include <iterator>

#include "bench/load/prompts.h"
#include "bench/machine/processes.h"

namespace sluice::bench {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t kStreamsOfRound = 1'000'000;
constexpr Duration kMemoryInterval = 2s;
// Every prompt begins alike: with a start token, or with the first words of the model's template.
constexpr uint32_t kRawHeadTokens = 2;
constexpr uint32_t kChatHeadTokens = 32;

}  // namespace

Ask Stage::unique(uint64_t stream, std::string text, uint32_t tokens) const {
  if (manner_.chat) return unique_chat(stream, std::move(text), tokens);
  Ask ask;
  ask.to_the_end = !manner_.may_end;
  ask.prompt = unique_head(round_.seed, round_.number * kStreamsOfRound + stream) + text;
  ask.tokens = tokens;
  ask.cached_max = kRawHeadTokens;
  return ask;
}

Ask Stage::unique_chat(uint64_t stream, std::string text, uint32_t tokens) const {
  Ask ask;
  ask.chat = true;
  const std::string head = unique_head(round_.seed, round_.number * kStreamsOfRound + stream);
  ask.messages = {{"system", head + "You are a helpful assistant."}, {"user", std::move(text)}};
  ask.tokens = tokens;
  ask.thinking = manner_.thinking;
  ask.to_the_end = !manner_.may_end;
  ask.cached_max = kChatHeadTokens;
  return ask;
}

void Stage::watch_memory(Volley& volley) {
  volley.every(kMemoryInterval, [this, &volley] { read_memory(volley); });
}

void Stage::read_memory(const Volley& volley) {
  const auto pid = server_.pid();
  if (!pid) return;
  const double at = to_ms(Clock::now() - volley.begun());
  memory_.emplace_back(at, resident_bytes_of(read_processes().tree_of(*pid)));
}

std::vector<Answer> Stage::keep(Volley& volley) {
  std::vector<Asked> taken = volley.take_answers();
  std::vector<Answer> answers;
  answers.reserve(taken.size());
  for (const Asked& asked : taken) answers.push_back(asked.answer);
  std::ranges::move(taken, std::back_inserter(asked_));
  std::ranges::move(volley.take_probes(), std::back_inserter(probes_));
  return answers;
}

}  // namespace sluice::bench
