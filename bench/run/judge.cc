#include "bench/run/judge.h"

#include <fmt/format.h>

#include <map>

namespace sluice::bench {
namespace {

struct Count {
  uint32_t answers = 0;
  std::string trouble;  // of the first
};

std::map<Fault, Count> counts_of(std::span<const Asked> asked) {
  std::map<Fault, Count> counts;
  for (const Asked& one : asked) {
    for (const Fault fault : one.answer.faults) {
      Count& count = counts[fault];
      if (count.answers++ == 0) count.trouble = one.answer.trouble;
    }
  }
  return counts;
}

std::string words_for(Fault fault, const Count& count) {
  const std::string words = fmt::format("{} x {}", count.answers, name_of(fault));
  return count.trouble.empty() ? words : words + ": " + count.trouble;
}

}  // namespace

Verdict judge(std::span<const Asked> asked, const Circumstances& circumstances) {
  Verdict verdict;
  const auto worsen = [&](SampleState state, std::string reason) {
    if (verdict.state == SampleState::ok || state == SampleState::failed) verdict.state = state;
    verdict.reasons.push_back(std::move(reason));
  };
  for (const auto& [fault, count] : counts_of(asked)) {
    switch (gravity_of(fault)) {
      case Gravity::noted: verdict.reasons.push_back(words_for(fault, {count.answers, {}})); break;
      case Gravity::voids: worsen(SampleState::voided, words_for(fault, count)); break;
      case Gravity::failure:
        if (circumstances.best_effort) {
          verdict.reasons.push_back(words_for(fault, count));
        } else {
          worsen(SampleState::failed, words_for(fault, count));
        }
        break;
    }
  }
  for (const std::string& objection : circumstances.objections) worsen(SampleState::voided, objection);
  if (circumstances.others_cpu > circumstances.others_max) {
    worsen(SampleState::disturbed, fmt::format("others used {:.0f} % of a core", 100 * circumstances.others_cpu));
  }
  return verdict;
}

}  // namespace sluice::bench
