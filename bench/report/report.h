// Results as a page for people: one self-contained HTML file with SVG plots, or Markdown tables. Refuses to know how
// anything was measured, and to hide a row that lost. Pure. Thread: any.
#pragma once

#include <span>
#include <string>

#include "bench/result/result.h"

namespace sluice::bench {

// Several results of the same rows are shown one after another.
std::string html_report(std::span<const RunResult> runs);
std::string markdown_report(std::span<const RunResult> runs);

}  // namespace sluice::bench
