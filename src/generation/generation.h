// One answer, from its request to its last fact: what was asked, what has been delivered, where it stands. What is kept
// here is all that continuing it on another worker needs. Refuses to know workers, listeners and time beyond its
// arrival. Thread: core.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/core.h"
#include "generation/generation_state.h"
#include "proto/convert.h"

namespace sluice::generation {

class Generation final {
 public:
  Generation(GenerationSpec spec, TimePoint arrived);

  void submitted(TimePoint now);
  // Its worker died before it accepted: nothing has been delivered, so another worker may be asked; once only.
  bool may_be_submitted_again() const;
  void wait_again();
  void fail();

  // Takes over what a fact says. Error: protocol (a fact out of order, or more tokens than asked for), and nothing
  // changed.
  Result<void> apply(const proto::GenerationFact& fact);

  GenerationState state() const { return state_; }
  const GenerationSpec& spec() const { return spec_; }
  TimePoint arrived() const { return arrived_; }
  std::optional<TimePoint> deadline() const { return deadline_; }  // of the whole answer
  const std::vector<Token>& produced() const { return produced_; }
  const std::string& delivered_text() const { return delivered_text_; }

 private:
  Result<void> on(const Accepted& accepted);
  Result<void> on(const Started& started);
  Result<void> on(const Output& output);
  Result<void> on(const Finished& finished);
  Result<void> on(const Failed& failed);
  Result<void> out_of_order(std::string_view fact) const;
  void enter(GenerationState next);

  GenerationSpec spec_;
  TimePoint arrived_;
  std::optional<TimePoint> deadline_;
  GenerationState state_ = GenerationState::waiting_for_worker;
  uint32_t submits_ = 0;
  std::vector<Token> produced_;
  std::string delivered_text_;
};

}  // namespace sluice::generation
