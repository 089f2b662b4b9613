// The parts of a page on one result, in the order they stand there. Each is empty where the result has nothing for it.
// Refuses to know style. Thread: any. Internal to bench/report.
#pragma once

#include <string>
#include <vector>

#include "bench/report/view.h"
#include "bench/result/result.h"

namespace sluice::bench::report {

struct Page {
  const RunResult& run;
  std::vector<Family> families;
  std::string prefix;  // of ids: several results may stand on one page
};

std::string head_part(const Page& page);
std::string summary_part(const Page& page);
std::string failures_part(const Page& page);
std::string dropped_part(const Page& page);
std::string rates_part(const Page& page);
std::string first_token_part(const Page& page);
std::string memory_part(const Page& page);
std::string streams_part(const Page& page);
std::string cpu_part(const Page& page);
std::string bandwidth_part(const Page& page);
std::string agreement_part(const Page& page);
std::string rows_part(const Page& page);
std::string words_part(const Page& page);

// All figures of a family, folded.
std::string figures_table(const Page& page, const Family& family);

std::string row_name(const RunResult& run, uint32_t row);
// A row's marker and name, as everywhere on the page.
std::string row_badge(const RunResult& run, uint32_t row);
// A cell of a table for each row's name.
std::string row_heads(const RunResult& run);

}  // namespace sluice::bench::report
