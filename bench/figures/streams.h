// Figures of streams, from when their parts came. Answers without text are skipped. Pure. Thread: any.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "bench/answer/answer.h"

namespace sluice::bench {

using Figures = std::map<std::string, double>;

// Tokens of all over the time from the first request sent to the last answer's end; 0 of none.
double tokens_per_s(std::span<const Answer> answers);
double wall_ms(std::span<const Answer> answers);

std::vector<double> first_ms(std::span<const Answer> answers);  // from each one's sending to its first text
std::vector<double> gaps_ms(std::span<const Answer> answers);   // between parts; 0 for parts that came together
std::vector<double> paces(
    std::span<const Answer> answers);  // tokens a second, those of the first part left out, of each stream

// Adds quantiles where there is anything to take them of.
void add_first_token(Figures& figures, std::span<const Answer> answers);  // ttft_ms_p50, p90, p99
void add_gaps(Figures& figures, std::span<const Answer> answers);         // gap_ms_p50, p99, pause_ms_max
void add_rates(Figures& figures, std::span<const Answer> answers);        // tokens_per_s, tokens_per_s_stream, wall_ms

}  // namespace sluice::bench
