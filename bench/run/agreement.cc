#include "bench/run/agreement.h"

#include <algorithm>

#include "bench/figures/statistics.h"
#include "bench/load/prompts.h"

namespace sluice::bench {
namespace {

std::vector<Answer> ask_tasks(Stage& stage, size_t first, size_t count, uint32_t tokens) {
  Volley volley = stage.volley();
  for (size_t i = first; i < first + count; ++i) {
    Ask ask = stage.unique(i, std::string(task(i)), tokens);
    ask.to_the_end = false;  // where an answer ends is a part of it
    ask.cached_max = UINT32_MAX;
    volley.send(std::move(ask));
  }
  volley.run();
  return stage.keep(volley);
}

// An answer that ends at once is one.
bool is_failure(Fault fault) { return gravity_of(fault) == Gravity::failure && fault != Fault::no_content; }

bool has_failure(const std::vector<Answer>& answers) {
  return std::ranges::any_of(answers, [](const Answer& a) { return std::ranges::any_of(a.faults, is_failure); });
}

Agreement compare(const std::vector<Answer>& a, const std::vector<Answer>& b) {
  Agreement agreement;
  std::vector<double> differences;
  agreement.answers = static_cast<uint32_t>(std::min(a.size(), b.size()));
  for (size_t i = 0; i < agreement.answers; ++i) {
    if (const auto index = first_difference(a[i], b[i])) {
      differences.push_back(static_cast<double>(*index));
    } else {
      ++agreement.equal;
    }
  }
  if (!differences.empty()) agreement.first_difference = median(differences);
  return agreement;
}

void add(std::vector<Agreement>& all, Agreement agreement, size_t row, size_t other, const char* label) {
  agreement.row = static_cast<uint32_t>(row);
  agreement.other = static_cast<uint32_t>(other);
  agreement.label = label;
  if (agreement.answers > 0) all.push_back(std::move(agreement));
}

}  // namespace

Replies ask_for_agreement(Loop& loop, Server& server, Round round, const Manner& manner, uint32_t tokens) {
  Stage stage(loop, server, round, manner);
  Replies replies;
  for (size_t i = 0; i < kTasks; ++i) {
    for (Answer& answer : ask_tasks(stage, i, 1, tokens)) replies.alone.push_back(std::move(answer));
  }
  replies.together = ask_tasks(stage, 0, kTasks, tokens);
  if (has_failure(replies.alone)) replies.alone.clear();
  if (has_failure(replies.together)) replies.together.clear();
  return replies;
}

std::optional<size_t> first_difference(const Answer& a, const Answer& b) {
  const size_t common = std::min(a.text.size(), b.text.size());
  const auto end = std::mismatch(a.text.begin(), a.text.begin() + static_cast<ptrdiff_t>(common), b.text.begin()).first;
  if (end == a.text.begin() + static_cast<ptrdiff_t>(common) && common > 0) return std::nullopt;
  if (a.text == b.text) return std::nullopt;
  auto left = static_cast<size_t>(end - a.text.begin());
  for (size_t i = 0; i < a.pieces.size(); ++i) {
    if (left < a.pieces[i].bytes) return i;
    left -= a.pieces[i].bytes;
  }
  return a.pieces.size();
}

std::vector<Agreement> agreements_of(const std::vector<Replies>& rows) {
  std::vector<Agreement> all;
  for (size_t row = 0; row < rows.size(); ++row) {
    if (row > 0) add(all, compare(rows[row].alone, rows[0].alone), row, 0, "alone");
    add(all, compare(rows[row].together, rows[row].alone), row, row, "8 at once and alone");
  }
  return all;
}

}  // namespace sluice::bench
