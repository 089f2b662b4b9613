#include "engine/roster.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/order.h"

namespace sluice::engine {

void Roster::add(GenerationId id, GenerationSpec&& spec, TimePoint now) {
  const auto [it, added] = live_.try_emplace(id, id, std::move(spec), now, ++arrivals_);
  CHECK(added);
  waiting_.push_back(&it->second);
}

Generation* Roster::find(GenerationId id) {
  const auto it = live_.find(id);
  return it == live_.end() ? nullptr : &it->second;
}

const Generation* Roster::find(GenerationId id) const {
  const auto it = live_.find(id);
  return it == live_.end() ? nullptr : &it->second;
}

Generation& Roster::at(GenerationId id) {
  Generation* generation = find(id);
  CHECK(generation != nullptr);
  return *generation;
}

Generation* Roster::next_to_start(TimePoint now) const {
  const auto standing = [now](const Generation* g) { return Standing{now - g->submitted(), g->arrival()}; };
  const auto first = std::ranges::min_element(waiting_, sooner, standing);
  return first == waiting_.end() ? nullptr : *first;
}

void Roster::start(Generation& generation, SequenceId seq, uint32_t cached_tokens) {
  generation.start(seq, cached_tokens);
  CHECK(std::erase(waiting_, &generation) == 1);
  running_.push_back(&generation);
}

void Roster::end(Generation& generation) {
  generation.end();
  CHECK(std::erase(waiting_, &generation) + std::erase(running_, &generation) == 1);
  live_.erase(generation.id());
}

}  // namespace sluice::engine
