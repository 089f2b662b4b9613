#include "bench/report/sample_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sluice::bench::report {
namespace {

constexpr uint32_t kPairs = 9;
constexpr uint32_t kRows = 5;
constexpr uint32_t kDied = 3, kNotStarted = 4;  // rows
constexpr uint32_t kTokens = 96;
constexpr const char* kModel = "/models/smollm2-135m-instruct-q4_k_m.gguf";

// What a server is like: its rate alone and at best, its prefill, its memory.
struct Nature {
  double alone, together, prefill, memory_mib, per_stream_mib;
};
constexpr Nature kNatures[kRows] = {{52.4, 168, 610, 214, 3.1},
                                    {50.9, 121, 604, 236, 2.4},
                                    {47.2, 83, 371, 322, 6.5},
                                    {21.8, 64, 190, 611, 9.8},
                                    {49.5, 92, 540, 402, 4.2}};

// Numbers that look like noise, from a counter.
class Noise final {
 public:
  double next() {  // -1 .. 1
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state_ >> 33) / static_cast<double>(1u << 30) - 1;
  }
  double around(double value, double share) { return value * (1 + share * (next() + next()) / 2); }

 private:
  uint64_t state_ = 20251;
};

struct Variant {
  const char* cell;
  std::string label, series;
  std::optional<double> x;
  const char* x_name;
  const char* primary;
  uint32_t streams, prompt_tokens, agents;
};

double rate_of(const Nature& nature, double streams, double depth) {
  const double rate = nature.alone * streams / (1 + (streams - 1) * nature.alone / nature.together / 1.15);
  return rate / (1 + depth / 14000);
}

RequestFacts request_of(const Variant& variant, const Nature& nature, uint32_t index, Noise& noise) {
  const bool agent = index < variant.agents;
  RequestFacts request;
  request.label = agent ? fmt::format("agent {}", index + 1) : fmt::format("chat {}", index + 1 - variant.agents);
  const double rate = rate_of(nature, variant.streams, variant.prompt_tokens) / variant.streams;
  request.sent_ms = noise.around(1, 0.4) + (variant.agents && !agent ? 900 : 0);
  const double queue = 1 + static_cast<double>(index) * (nature.alone / nature.together);
  const double first = noise.around(variant.prompt_tokens / nature.prefill * 1000 * queue + 6, 0.08);
  request.first_ms = request.sent_ms + first;
  request.arrivals_us.push_back(static_cast<uint32_t>(first * 1000));
  double at = *request.first_ms;
  for (uint32_t token = 1; token < kTokens; ++token) {
    const double gap = noise.around(1000 / rate, 0.12) * (token % 40 == 0 ? 3 : 1);
    request.arrivals_us.push_back(static_cast<uint32_t>(gap * 1000));
    at += gap;
  }
  request.sizes.assign(kTokens, 4);
  request.last_ms = at;
  request.done_ms = at + 0.4;
  request.status = 200;
  request.prompt_tokens = variant.prompt_tokens;
  request.completion_tokens = request.events = kTokens;
  request.finish_reason = "length";
  request.text_hash = 0x9E3779B97F4A7C15 * (index + 1);
  request.timings = {{"predicted_per_second", rate}};
  return request;
}

double percentile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

void add_figures(Sample& sample, const Variant& variant) {
  std::vector<double> firsts, gaps;
  for (const auto& request : sample.requests) {
    firsts.push_back(*request.first_ms - request.sent_ms);
    for (size_t i = 1; i < request.arrivals_us.size(); ++i) gaps.push_back(request.arrivals_us[i] / 1000.0);
    sample.wall_ms = std::max(sample.wall_ms, request.done_ms);
  }
  auto& figures = sample.figures;
  figures["tokens_per_s"] = variant.streams * kTokens * 1000 / sample.wall_ms;
  figures["tokens_per_s_stream"] = 1000 / percentile(gaps, 0.5);
  if (std::string_view(variant.cell) == "prefill")
    figures["prefill_tokens_per_s"] = variant.prompt_tokens * 1000 / firsts[0];
  if (std::string_view(variant.primary).starts_with("ttft") || std::string_view(variant.cell) == "concurrent") {
    for (const int share : {50, 90, 99}) figures[fmt::format("ttft_ms_p{}", share)] = percentile(firsts, share / 100.0);
    figures["gap_ms_p50"] = percentile(gaps, 0.5);
    figures["gap_ms_p99"] = percentile(gaps, 0.99);
    figures["pause_ms_max"] = percentile(gaps, 1);
  }
}

void add_memory(Sample& sample, const Variant& variant, const Nature& nature, Noise& noise) {
  double most = 0;
  for (double at = 0; at < sample.wall_ms; at += std::max(sample.wall_ms / 40, 50.0)) {
    const double grown = 1 - std::exp(-at / (sample.wall_ms / 5));
    const double mib = nature.memory_mib + nature.per_stream_mib * variant.streams * grown + noise.next();
    sample.memory.emplace_back(at, static_cast<uint64_t>(mib * 1048576));
    most = std::max(most, mib * 1048576);
  }
  sample.figures["memory_bytes_peak"] = most;
  sample.figures["health_ms_max"] = noise.around(1.4, 0.5);
}

Sample sample_of(const Variant& variant, uint32_t row, uint32_t round, Noise& noise) {
  Sample sample;
  sample.row = row;
  sample.round = round;
  if (round == 0) sample.state = SampleState::warm_up;
  for (uint32_t i = 0; i < variant.streams; ++i)
    sample.requests.push_back(request_of(variant, kNatures[row], i, noise));
  add_figures(sample, variant);
  if (std::string_view(variant.cell) == "concurrent") add_memory(sample, variant, kNatures[row], noise);
  sample.others_cpu = std::abs(noise.next()) * 0.05;
  sample.bench_cpu = 0.004 + 0.001 * variant.streams;
  sample.server_cpu = noise.around(1.94, 0.02);
  sample.load_before = 0.3;
  sample.load_after = 1.6;
  return sample;
}

// Some of the samples went wrong, as they do.
void disturb(Sample& sample) {
  if (sample.round == 4 && sample.row == 1) {
    sample.state = SampleState::disturbed;
    sample.reasons = {"other processes used 31 % of a core"};
  } else if (sample.round == 7 && sample.row == 2) {
    sample.state = SampleState::voided;
    sample.reasons = {"94 of 96 tokens came"};
  }
}

struct Measure {
  const char *name, *unit;
  Better better;
};
constexpr Measure kMeasures[] = {{"tokens_per_s", "tok/s", Better::higher},
                                 {"tokens_per_s_stream", "tok/s", Better::higher},
                                 {"prefill_tokens_per_s", "tok/s", Better::higher},
                                 {"ttft_ms_p50", "ms", Better::lower},
                                 {"ttft_ms_p90", "ms", Better::lower},
                                 {"ttft_ms_p99", "ms", Better::lower},
                                 {"gap_ms_p50", "ms", Better::lower},
                                 {"gap_ms_p99", "ms", Better::lower},
                                 {"pause_ms_max", "ms", Better::lower},
                                 {"memory_bytes_peak", "B", Better::lower},
                                 {"health_ms_max", "ms", Better::lower}};

std::vector<double> values_of(const CellResult& cell, uint32_t row, const std::string& figure) {
  std::vector<double> values;
  for (const auto& sample : cell.samples) {
    const auto found = sample.figures.find(figure);
    if (sample.row == row && sample.state == SampleState::ok && found != sample.figures.end())
      values.push_back(found->second);
  }
  std::ranges::sort(values);
  return values;
}

void summarize(CellResult& cell, uint32_t row, const Measure& measure) {
  const auto values = values_of(cell, row, measure.name);
  if (values.empty()) return;
  const auto first = values_of(cell, 0, measure.name);
  Summary summary;
  summary.row = row;
  summary.figure = measure.name;
  summary.unit = measure.unit;
  summary.better = measure.better;
  summary.samples = static_cast<uint32_t>(values.size());
  summary.median = percentile(values, 0.5);
  summary.min = values.front();
  summary.max = values.back();
  summary.low = values[1];
  summary.high = values[values.size() - 2];
  if (row > 0 && !first.empty()) {
    const double base = percentile(first, 0.5);
    summary.ratio = summary.median / base;
    summary.ratio_low = summary.low / base;
    summary.ratio_high = summary.high / base;
  }
  if (row == 1) summary.dropped = {{"disturbed", 1}};
  if (row == 2) summary.dropped = {{"void", 1}};
  cell.summaries.push_back(std::move(summary));
}

// The primary figure first, as a cell gives them.
void summarize(CellResult& cell) {
  for (const bool primary : {true, false}) {
    for (const auto& measure : kMeasures) {
      if ((cell.primary == measure.name) != primary) continue;
      for (uint32_t row = 0; row < kRows; ++row) summarize(cell, row, measure);
    }
  }
}

CellResult cell_of(const Variant& variant, Noise& noise) {
  CellResult cell{.cell = variant.cell,
                  .label = variant.label,
                  .series = variant.series,
                  .x = variant.x,
                  .x_name = variant.x_name,
                  .primary = variant.primary,
                  .samples = {},
                  .summaries = {}};
  const bool late = std::string_view(variant.cell) != "decode";
  for (uint32_t round = 0; round <= kPairs; ++round) {
    for (uint32_t row = 0; row < kRows; ++row) {
      if (row == kNotStarted || (row == kDied && late)) continue;
      cell.samples.push_back(sample_of(variant, row, round, noise));
      disturb(cell.samples.back());
    }
  }
  summarize(cell);
  return cell;
}

std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const char* series : {"greedy", "sampled"}) {
    for (const uint32_t streams : {1, 2, 4, 8, 16}) {
      all.push_back({"decode", fmt::format("{} stream{}, {}", streams, streams == 1 ? "" : "s", series), series,
                     streams, "streams", "tokens_per_s", streams, 40, 0});
    }
  }
  for (const uint32_t depth : {0, 2048, 4096, 8192}) {
    all.push_back({"depth", fmt::format("after {} tokens", depth), "", depth, "tokens of context",
                   "tokens_per_s_stream", 1, depth, 0});
  }
  for (const uint32_t tokens : {2048, 8192}) {
    all.push_back(
        {"prefill", fmt::format("{} tokens", tokens), "", std::nullopt, "", "prefill_tokens_per_s", 1, tokens, 0});
  }
  for (const uint32_t streams : {1, 4, 16}) {
    all.push_back({"ttft", fmt::format("{} stream{}", streams, streams == 1 ? "" : "s"), "", streams, "streams",
                   "ttft_ms_p50", streams, 120, 0});
  }
  all.push_back({"behind", "8 agents", "", std::nullopt, "", "ttft_ms_p50", 10, 300, 8});
  for (const uint32_t streams : {1, 4, 16}) {
    all.push_back({"concurrent", fmt::format("{} stream{}", streams, streams == 1 ? "" : "s"), "", streams, "streams",
                   "tokens_per_s", streams, 80, 0});
  }
  return all;
}

std::vector<RowFacts> rows() {
  std::vector<RowFacts> all(kRows);
  const char* const names[] = {"sluice", "llama-server", "superfluid", "mlx-lm", "ollama"};
  for (uint32_t row = 0; row < kRows; ++row) {
    RowFacts& facts = all[row];
    facts.name = facts.kind = names[row];
    facts.url = fmt::format("127.0.0.1:{}", 8080 + row);
    facts.argv = {names[row], "--model", kModel, "--port", fmt::format("{}", 8080 + row)};
    facts.environment = {"OMP_NUM_THREADS=2"};
    facts.model_id = "smollm2-135m";
    facts.version = fmt::format("{}.4.1", row);
    facts.start_line = "listening";
    facts.system_info = "AVX2 = 1 | AVX512 = 1 | FMA = 1";
    facts.ready_ms = 380 + 210.5 * row;
    facts.lanes = 8;
    facts.context = 4096;
  }
  all[0].version = "0.1.0 (8eb73ea01b2f)";
  all[kDied].state = RowState::died;
  all[kDied].signal = 9;
  all[kDied].stderr_tail = "loading weights\nallocating cache for 8 x 8192 tokens\n";
  all[kNotStarted].state = RowState::did_not_start;
  all[kNotStarted].exit_code = 1;
  all[kNotStarted].stderr_tail = "time=2025-11-29 level=ERROR msg=\"no runner for <cpu_avx2>\"\nError: exit status 1";
  return all;
}

}  // namespace

RunResult sample_run() {
  RunResult run{.created = 1764450000,
                .command = {"bench", "decode", "depth", "prefill", "ttft", "behind", "concurrent", "--start",
                            "sluice=sluice", "--start", "llama-server=llama-server", "--start", "superfluid=superfluid",
                            "--start", "mlx-lm=mlx-lm", "--start", "ollama=ollama", "--pairs", "9"},
                .build = "0.1.0 (8eb73ea01b2f)",
                .machine = {.cpu = "AMD EPYC 7B13",
                            .kernel = "6.1.0-28-amd64",
                            .cores = 2,
                            .memory_bytes = 8ull << 30,
                            .read_bytes_per_s = 14.2e9},
                .model = {.path = kModel, .bytes = 105454432},
                .settings = {.pairs = kPairs, .seed = 1, .mode = "raw", .lanes = 8, .context = 4096},
                .rows = rows(),
                .cells = {},
                .agreement = {}};
  Noise noise;
  for (const auto& variant : variants()) run.cells.push_back(cell_of(variant, noise));
  run.agreement = {
      {.row = 1, .other = 0, .label = "1 stream", .answers = 8, .equal = 8, .first_difference = {}},
      {.row = 2, .other = 0, .label = "1 stream", .answers = 8, .equal = 5, .first_difference = 61},
      {.row = 0, .other = 0, .label = "8 streams, against 1 stream", .answers = 8, .equal = 8, .first_difference = {}}};
  return run;
}

}  // namespace sluice::bench::report
