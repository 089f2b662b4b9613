#include "daemon/live_view.h"

#include <unordered_map>

#include "base/check.h"

namespace sluice::daemon {
namespace {

using generation::GenerationState;

api::Whereabouts whereabouts_of(GenerationState state) {
  switch (state) {
    case GenerationState::waiting_for_worker:
    case GenerationState::submitted: return api::Whereabouts::queued;
    case GenerationState::accepted: return api::Whereabouts::waiting;
    case GenerationState::running: return api::Whereabouts::running;
    case GenerationState::ended: break;
  }
  UNREACHABLE();  // one that has ended does not live
}

api::LiveGeneration facts_of(GenerationId id, const generation::Generation& generation, TimePoint now) {
  const GenerationSpec& spec = generation.spec();
  api::LiveGeneration facts;
  facts.id = id;
  facts.where = whereabouts_of(generation.state());
  facts.cls = spec.cls;
  facts.class_named = spec.class_named;
  facts.key = spec.key;
  facts.has_session = spec.session != 0;
  facts.prompt_tokens = static_cast<uint32_t>(spec.prompt.size());
  facts.answer_tokens = static_cast<uint32_t>(generation.produced().size());
  facts.max_tokens = spec.max_tokens;
  facts.age = now - generation.arrived();
  return facts;
}

}  // namespace

api::LiveView live_view(const generation::Generations& generations, const Word& word, TimePoint now) {
  std::unordered_map<GenerationId, const Standing*> said;
  if (word) {
    for (const Standing& standing : *word) said.emplace(standing.generation, &standing);
  }
  api::LiveView view;
  view.worker_told = word.has_value();
  for (const auto& [id, generation] : generations.live()) {
    api::LiveGeneration facts = facts_of(id, *generation, now);
    const auto found = said.find(id);
    if (found != said.end()) facts.standing = *found->second;
    view.generations.push_back(std::move(facts));
  }
  return view;
}

}  // namespace sluice::daemon
