#include "sim/lifecycle.h"

#include <algorithm>
#include <string>

#include "base/check.h"

namespace sluice::sim {

void Lifecycle::must(bool rule, const Record& record, const char* what) {
  if (!rule) verdict_.fail("a generation ends exactly once", "generation " + std::to_string(record.id.raw) + what);
}

void Lifecycle::said(const Record& record, const engine::GenerationStartedFact& fact) {
  must(record.lives(), record, " was started after its end");
  must(!record.started, record, " was started twice");
  must(fact.cached_tokens < record.spec.prompt.size(), record, " was started with its whole prompt from a cache");
}

void Lifecycle::said(const Record& record, const engine::TokenFact& fact) {
  must(record.lives(), record, " was given a token after its end");
  must(record.started, record, " was given a token before it started");
  must(record.answer.size() < record.spec.max_tokens, record, " was given more tokens than it may have");
  const bool is_end =
      std::ranges::find(scenario_.config.end_tokens, fact.choice.token) != scenario_.config.end_tokens.end();
  must(fact.is_end_token == is_end, record, " was told wrongly whether a token ends it");
  must(!(is_end && record.spec.ignore_eos), record, " was given an end token against its wish");
}

void Lifecycle::said(const Record& record, const engine::GenerationFinishedFact& fact, TimePoint now) {
  must(record.lives(), record, " finished after its end");
  must(fact.usage.completion_tokens == record.answer.size(), record, " finished with another count of its answer");
  must(fact.usage.prompt_tokens == record.spec.prompt.size(), record, " finished with another count of its prompt");
  must(may_finish(record, fact.reason, now), record, " finished for a reason that does not hold");
}

bool Lifecycle::may_finish(const Record& record, FinishReason reason, TimePoint now) const {
  switch (reason) {
    case FinishReason::stop: {
      const bool found = record.stop_after > 0 && record.answer.size() >= record.stop_after;
      return found || (!record.answer.empty() && std::ranges::count(scenario_.config.end_tokens, record.answer.back()));
    }
    case FinishReason::length:
      return record.answer.size() == record.spec.max_tokens || record.known() == scenario_.config.window;
    case FinishReason::deadline: return record.spec.time_left && now >= record.submitted + *record.spec.time_left;
  }
  UNREACHABLE();
}

void Lifecycle::said(const Record& record, const engine::GenerationFailedFact&) {
  must(record.lives(), record, " failed after its end");
  must(!scenario_.weather.calm(), record, " failed although nothing went wrong");
}

void Lifecycle::planned(Book& book, const engine::StepPlan& plan, TimePoint now) {
  for (const engine::PlannedCall& call : plan.calls) {
    for (const engine::PlannedFeed& feed : call.feeds) {
      const Record& record = book.at(feed.generation);
      must(record.lives(), record, " is computed after its end");
      must(record.started, record, " is computed before it started");
    }
  }
  for (const Record* record : book.live()) {
    const bool overdue = record->spec.time_left && record->submitted + *record->spec.time_left <= now;
    must(!overdue, *record, " lives beyond its deadline");
  }
}

void Lifecycle::over(const Book& book) {
  for (const Record& record : book.all()) must(!record.lives(), record, " did not end");
}

}  // namespace sluice::sim
