// Which fields a result has in its file, once for both directions: describe(archive, value) names each field to an
// archive that writes (a const value) or reads it. Refuses to know JSON. Thread: any. Internal to bench/result.
#pragma once

#include <concepts>
#include <type_traits>

#include "bench/result/result.h"

namespace sluice::bench::result {

template <class T, class V>
concept Of = std::same_as<std::remove_const_t<T>, V>;

template <class A>
void describe(A& a, Of<MachineFacts> auto& machine) {
  a.field("cpu", machine.cpu);
  a.field("cores", machine.cores);
  a.field("memory_bytes", machine.memory_bytes);
  a.field("kernel", machine.kernel);
  a.field("read_bytes_per_s", machine.read_bytes_per_s);
}

template <class A>
void describe(A& a, Of<ModelFacts> auto& model) {
  a.field("path", model.path);
  a.field("bytes", model.bytes);
}

template <class A>
void describe(A& a, Of<Settings> auto& settings) {
  a.field("pairs", settings.pairs);
  a.field("seed", settings.seed);
  a.field("mode", settings.mode);
  a.field("lanes", settings.lanes);
  a.field("context", settings.context);
}

template <class A>
void describe(A& a, Of<RowFacts> auto& row) {
  a.field("name", row.name);
  a.field("kind", row.kind);
  a.field("url", row.url);
  a.field("argv", row.argv);
  a.field("environment", row.environment);
  a.field("model_id", row.model_id);
  a.field("version", row.version);
  a.field("start_line", row.start_line);
  a.field("system_info", row.system_info);
  a.field("state", row.state);
  a.field("exit_code", row.exit_code);
  a.field("signal", row.signal);
  a.field("stderr", row.stderr_tail);
  a.field("ready_ms", row.ready_ms);
  a.field("lanes", row.lanes);
  a.field("context", row.context);
}

template <class A>
void describe(A& a, Of<RequestFacts> auto& request) {
  a.field("label", request.label);
  a.field("sent_ms", request.sent_ms);
  a.field("first_ms", request.first_ms);
  a.field("last_ms", request.last_ms);
  a.field("done_ms", request.done_ms);
  a.field("status", request.status);
  a.field("prompt_tokens", request.prompt_tokens);
  a.field("completion_tokens", request.completion_tokens);
  a.field("cached_tokens", request.cached_tokens);
  a.field("events", request.events);
  a.field("finish_reason", request.finish_reason);
  a.hex("text_hash", request.text_hash);
  a.field("arrivals_us", request.arrivals_us);
  a.field("sizes", request.sizes);
  a.field("timings", request.timings);
  a.field("faults", request.faults);
}

template <class A>
void describe(A& a, Of<Sample> auto& sample) {
  a.field("row", sample.row);
  a.field("round", sample.round);
  a.field("state", sample.state);
  a.field("reasons", sample.reasons);
  a.field("others_cpu", sample.others_cpu);
  a.field("bench_cpu", sample.bench_cpu);
  a.field("server_cpu", sample.server_cpu);
  a.field("load_before", sample.load_before);
  a.field("load_after", sample.load_after);
  a.field("wall_ms", sample.wall_ms);
  a.field("figures", sample.figures);
  a.field("requests", sample.requests);
  a.field("memory", sample.memory);
  a.field("probes", sample.probes);
}

template <class A>
void describe(A& a, Of<Summary> auto& summary) {
  a.field("row", summary.row);
  a.field("figure", summary.figure);
  a.field("unit", summary.unit);
  a.field("better", summary.better);
  a.field("samples", summary.samples);
  a.field("median", summary.median);
  a.field("min", summary.min);
  a.field("max", summary.max);
  a.field("low", summary.low);
  a.field("high", summary.high);
  a.field("ratio", summary.ratio);
  a.field("ratio_low", summary.ratio_low);
  a.field("ratio_high", summary.ratio_high);
  a.field("dropped", summary.dropped);
}

template <class A>
void describe(A& a, Of<CellResult> auto& cell) {
  a.field("cell", cell.cell);
  a.field("label", cell.label);
  a.field("series", cell.series);
  a.field("x", cell.x);
  a.field("x_name", cell.x_name);
  a.field("primary", cell.primary);
  a.field("samples", cell.samples);
  a.field("summaries", cell.summaries);
}

template <class A>
void describe(A& a, Of<Agreement> auto& agreement) {
  a.field("row", agreement.row);
  a.field("other", agreement.other);
  a.field("label", agreement.label);
  a.field("answers", agreement.answers);
  a.field("equal", agreement.equal);
  a.field("first_difference", agreement.first_difference);
}

template <class A>
void describe(A& a, Of<RunResult> auto& run) {
  a.field("created", run.created);
  a.field("command", run.command);
  a.field("build", run.build);
  a.field("machine", run.machine);
  a.field("model", run.model);
  a.field("settings", run.settings);
  a.field("rows", run.rows);
  a.field("cells", run.cells);
  a.field("agreement", run.agreement);
}

}  // namespace sluice::bench::result
