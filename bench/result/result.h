// What one run of `sluice bench` found, as plain values: docs/formats/bench-result.md is its page. Refuses to know how
// it was measured and how it is shown. Thread: any (values).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::bench {

struct MachineFacts {
  std::string cpu, kernel;
  uint32_t cores = 0;
  uint64_t memory_bytes = 0;
  double read_bytes_per_s = 0;  // measured, all cores
  bool operator==(const MachineFacts&) const = default;
};

struct ModelFacts {
  std::string path;  // empty where only servers at URLs were measured
  uint64_t bytes = 0;
  bool operator==(const ModelFacts&) const = default;
};

struct Settings {
  uint32_t pairs = 0;
  uint64_t seed = 0;
  std::string mode;  // "raw" or "chat"
  uint32_t lanes = 0, context = 0;
  bool operator==(const Settings&) const = default;
};

enum class RowState : uint8_t { served, did_not_start, died };
std::string_view name_of(RowState state);

struct RowFacts {
  std::string name, kind, url;
  std::vector<std::string> argv, environment;
  std::string model_id, version, start_line, system_info;
  RowState state = RowState::served;
  std::optional<int> exit_code, signal;
  std::string stderr_tail;
  double ready_ms = 0;
  uint32_t lanes = 0, context = 0;
  bool operator==(const RowFacts&) const = default;
};

enum class SampleState : uint8_t { warm_up, ok, disturbed, voided, failed };
std::string_view name_of(SampleState state);  // "warm-up", "ok", "disturbed", "void", "failed"

struct RequestFacts {
  std::string label;
  double sent_ms = 0;
  std::optional<double> first_ms, last_ms;
  double done_ms = 0;
  int status = 0;  // 0: there was no answer
  std::optional<uint32_t> prompt_tokens, completion_tokens, cached_tokens;
  uint32_t events = 0;
  std::string finish_reason;
  uint64_t text_hash = 0;
  std::vector<uint32_t> arrivals_us, sizes;
  std::map<std::string, double> timings;
  std::vector<std::string> faults;
  bool operator==(const RequestFacts&) const = default;
};

struct Probe {
  double at_ms = 0;
  std::string path;
  int status = 0;
  double took_ms = 0;
  bool operator==(const Probe&) const = default;
};

struct Sample {
  uint32_t row = 0, round = 0;
  SampleState state = SampleState::ok;
  std::vector<std::string> reasons;
  double others_cpu = 0, bench_cpu = 0, server_cpu = 0;  // shares of one core
  double load_before = 0, load_after = 0;
  double wall_ms = 0;
  std::map<std::string, double> figures;
  std::vector<RequestFacts> requests;
  std::vector<std::pair<double, uint64_t>> memory;  // ms, bytes
  std::vector<Probe> probes;
  bool operator==(const Sample&) const = default;
};

enum class Better : uint8_t { higher, lower, neither };
std::string_view name_of(Better better);

struct Summary {
  uint32_t row = 0;
  std::string figure, unit;
  Better better = Better::higher;
  uint32_t samples = 0;
  double median = 0, min = 0, max = 0, low = 0, high = 0;  // nothing where samples == 0
  std::optional<double> ratio, ratio_low, ratio_high;
  std::map<std::string, uint32_t> dropped;  // name of a SampleState, or a fault -> how many samples
  bool operator==(const Summary&) const = default;
};

struct CellResult {
  std::string cell, label, series;
  std::optional<double> x;
  std::string x_name, primary;
  std::vector<Sample> samples;
  std::vector<Summary> summaries;
  bool operator==(const CellResult&) const = default;
};

struct Agreement {
  uint32_t row = 0, other = 0;
  std::string label;
  uint32_t answers = 0, equal = 0;
  std::optional<double> first_difference;  // median index of the first token that differs; absent: none does
  bool operator==(const Agreement&) const = default;
};

struct RunResult {
  int64_t created = 0;  // Unix seconds
  std::vector<std::string> command;
  std::string build;
  MachineFacts machine;
  ModelFacts model;
  Settings settings;
  std::vector<RowFacts> rows;
  std::vector<CellResult> cells;
  std::vector<Agreement> agreement;
  bool operator==(const RunResult&) const = default;
};

}  // namespace sluice::bench
