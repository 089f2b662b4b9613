// Do servers say the same, and does one say the same alone and in company? Replies at temperature 0 to the built-in
// tasks, compared byte by byte. Refuses to know speed.
//
// Thread: one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/answer/answer.h"
#include "bench/cells/stage.h"
#include "bench/result/result.h"

namespace sluice::bench {

// What one row answered to each task: alone, then all at once. Empty where a request failed.
struct Replies {
  std::vector<Answer> alone, together;
};
Replies ask_for_agreement(Loop& loop, Server& server, Round round, const Manner& manner, uint32_t tokens);

// Index of the first part of `a` that differs from `b`; absent where the texts are equal as far as both go: some models
// are served as copies that know no end.
std::optional<size_t> first_difference(const Answer& a, const Answer& b);

// Each row alone against the first row alone, and each row in company against itself alone.
std::vector<Agreement> agreements_of(const std::vector<Replies>& rows);

}  // namespace sluice::bench
