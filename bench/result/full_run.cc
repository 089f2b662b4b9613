#include "bench/result/full_run.h"

namespace sluice::bench::result {
namespace {

RowFacts full_row() {
  return {.name = "sluice",
          .kind = "sluice",
          .url = "http://127.0.0.1:8080",
          .argv = {"sluice", "serve", ""},
          .environment = {"OMP_NUM_THREADS=2"},
          .model_id = "tiny",
          .version = "0.1.0",
          .start_line = "ready: \"tiny\"\ton 2 cores",
          .system_info = "AVX2 = 1",
          .state = RowState::died,
          .exit_code = 3,
          .signal = 9,
          .stderr_tail = "line one\nline two\x01",
          .ready_ms = 812.25,
          .lanes = 8,
          .context = 4096};
}

RequestFacts full_request() {
  return {.label = "chat",
          .sent_ms = 0.5,
          .first_ms = 41.75,
          .last_ms = 99.125,
          .done_ms = 99.5,
          .status = 200,
          .prompt_tokens = 17,
          .completion_tokens = 2,
          .cached_tokens = 3,
          .events = 2,
          .finish_reason = "length",
          .text_hash = 0xFEDCBA9876543210,
          .arrivals_us = {41250, 57375},
          .sizes = {4, 5},
          .timings = {{"draft_n", 3}, {"predicted_per_second", 29.7}},
          .faults = {"no-usage"}};
}

Sample full_sample() {
  return {.row = 1,
          .round = 4,
          .state = SampleState::voided,
          .reasons = {"2 of 3 tokens are missing"},
          .others_cpu = 0.0625,
          .bench_cpu = 0.01,
          .server_cpu = 1.9,
          .load_before = 0.4,
          .load_after = 1.7,
          .wall_ms = 99.5,
          .figures = {{"tokens_per_s", 34.5}},
          .requests = {full_request()},
          .memory = {{0, 1u << 20}, {2000.5, 1ull << 40}},
          .probes = {{.at_ms = 10, .path = "/health", .status = 200, .took_ms = 0.3}}};
}

CellResult full_cell() {
  return {.cell = "decode",
          .label = "8 streams, greedy",
          .series = "greedy",
          .x = 8,
          .x_name = "streams",
          .primary = "tokens_per_s",
          .samples = {full_sample()},
          .summaries = {{.row = 1,
                         .figure = "tokens_per_s",
                         .unit = "tok/s",
                         .better = Better::lower,
                         .samples = 9,
                         .median = 34.5,
                         .min = 30.25,
                         .max = 36,
                         .low = 33,
                         .high = 35.5,
                         .ratio = 1.25,
                         .ratio_low = 1.125,
                         .ratio_high = 1.5,
                         .dropped = {{"disturbed", 2}}}}};
}

}  // namespace

RunResult full_run() {
  return {
      .created = 1764450000,
      .command = {"bench", "decode", "--pairs", "9"},
      .build = "0.1.0 0123abc",
      .machine =
          {.cpu = "A CPU", .kernel = "6.1.0", .cores = 2, .memory_bytes = 8ull << 30, .read_bytes_per_s = 21.5e9},
      .model = {.path = "/models/tiny.gguf", .bytes = 97000000},
      .settings = {.pairs = 9, .seed = UINT64_MAX, .mode = "raw", .lanes = 8, .context = 4096},
      .rows = {full_row(), full_row()},
      .cells = {full_cell()},
      .agreement = {{.row = 1, .other = 0, .label = "1 stream", .answers = 8, .equal = 7, .first_difference = 12.5}}};
}

}  // namespace sluice::bench::result
