#include "telemetry/serving_metrics.h"

namespace sluice::telemetry {
namespace {

// From one refused request to an answer of ten minutes.
const std::vector<double> kSeconds = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
                                      1,     2.5,    5,     10,   30,    60,   120, 300,  600};

// 504 before its time is over: it was told at once that its time is too short.
bool was_refused(const AccessEntry& entry) {
  const bool by_a_limit = entry.status == 429 || entry.status == 503;
  const bool at_once = entry.status == 504 && !entry.late;
  return (by_a_limit || at_once) && !entry.error_code.empty();
}

}  // namespace

ServingMetrics::ServingMetrics(Registry& r)
    : requests(
          r.counters("sluice_requests_total",
                     "HTTP requests whose answer has ended, by route (\"other\": no such route) and status; status "
                     "499: the client left before its answer was whole. Requests that are no HTTP are not counted.",
                     {"route", "status"})),
      request_seconds(r.histogram("sluice_request_seconds",
                                  "Seconds from a request's last byte received to its answer's end, of all requests.",
                                  kSeconds)),
      first_token_seconds(r.histograms("sluice_first_token_seconds",
                                       "Seconds from a request's last byte received to the first token of its first "
                                       "answer, of requests that got a token, by class.",
                                       {"class"}, kSeconds)),
      queue_seconds(r.histograms(
          "sluice_queue_seconds",
          "Seconds from a generation's submission to its lane, waiting for a worker included, of generations "
          "that got one, by class.",
          {"class"}, kSeconds)),
      prompt_tokens(
          r.counter("sluice_prompt_tokens_total",
                    "Prompt tokens of generations that got a lane, cached ones included; a prompt counts once "
                    "for each of its n answers.")),
      cached_tokens(r.counter("sluice_cached_tokens_total",
                              "Prompt tokens of generations that got a lane whose KV was taken over instead of "
                              "computed.")),
      completion_tokens(r.counter("sluice_completion_tokens_total", "Tokens generated, as the daemon received them.")),
      tokens_per_second(r.gauge("sluice_tokens_per_second",
                                "Tokens generated per second over all generations: the mean of the running second and "
                                "the nine before it.")),
      generations_running(r.gauge("sluice_generations_running", "Generations that have a lane.")),
      generations_waiting(r.gauge("sluice_generations_waiting", "Generations that live and have no lane.")),
      queue_depth(r.gauges("sluice_queue_depth",
                           "Generations that live and had no lane yet, by class. Those that gave theirs away are not "
                           "among them.",
                           {"class"})),
      generations_live(
          r.gauges("sluice_generations_live",
                   "Generations let in that have not ended, also those whose prompt is still being made, by class "
                   "and key label (\"\": of requests that need no key); a key without any has no series.",
                   {"class", "key"})),
      refusals(
          r.counters("sluice_refusals_total",
                     "Requests refused because of a limit of their key (429) or of this server (503), or because the "
                     "time that they give is too short (504, before it is over), by the code that they were told.",
                     {"code"})),
      deadline_misses(r.counters("sluice_deadline_misses_total",
                                 "Requests whose time was over before their answer was whole, by class: those that "
                                 "failed with timed_out when it was over, and those of whose answers one ended with "
                                 "\"deadline\". What is refused for too short a time is none.",
                                 {"class"})),
      generations_finished(r.counters(
          "sluice_generations_finished_total",
          "Generations that ended, by reason: stop (an end token or a stop string), length (max_tokens or "
          "the window), deadline (its time was over), cancelled (their client left), failed (an error, or too "
          "long a wait, after they were let in), refused (not let in, by the daemon or by the worker).",
          {"reason"})),
      lanes(r.gauge("sluice_lanes", "Generations that can run at once; 0 while no worker is ready.")),
      lanes_busy(r.gauge("sluice_lanes_busy", "Lanes that a generation holds, as of the worker's last frame.")),
      rows(r.counters("sluice_rows_total",
                      "Tokens fed to the runtime, by kind: prefill (prompt tokens) or decode (one for each token "
                      "generated).",
                      {"kind"})),
      calls(r.counters("sluice_calls_total",
                       "Calls of the runtime, by kind. sluice_rows_total of a kind through this is the mean size of a "
                       "call: of a prompt's piece, or of how many decode together.",
                       {"kind"})),
      steps(r.counter("sluice_steps_total", "Steps of the worker's engine that fed the runtime.")),
      passes(r.counter("sluice_passes_total", "Forward passes of the runtime; a step is one or more.")),
      generations_preempted(
          r.gauge("sluice_generations_preempted", "Generations that gave their lane to another and wait to go on.")),
      preemptions(r.counter("sluice_preemptions_total", "Lanes that were given to another generation.")),
      parked_tokens(r.counter("sluice_parked_tokens_total",
                              "Tokens whose KV went to host memory, so that it need not be computed again.")),
      kv_tokens_parked(r.gauge("sluice_kv_tokens_parked", "Tokens whose KV is in host memory now.")),
      tokens_again(r.counter("sluice_recomputed_tokens_total",
                             "Tokens whose KV was lost on its way to host memory or back, and computed again.")),
      step_time(r.counters("sluice_step_microseconds_total",
                           "Time of steps, by kind: decode and prefill (of the runtime), move (of KV), draw (of tokens "
                           "from logits).",
                           {"kind"})),
      context_switches(r.counters("sluice_worker_context_switches_total",
                                  "Context switches of the worker, by kind: waited (for something) or interrupted (by "
                                  "something).",
                                  {"kind"})),
      worker_ready(r.gauge("sluice_worker_ready", "1 while the worker takes generations, else 0.")),
      worker_starts(r.counter("sluice_worker_starts_total", "Worker processes started, the first included.")),
      worker_deaths(r.counter("sluice_worker_deaths_total", "Worker processes that ended without being asked to.")),
      codec_starts(r.counter("sluice_codec_starts_total", "Codec processes started, the first included.")),
      codec_deaths(r.counter("sluice_codec_deaths_total", "Codec processes that ended without being asked to.")),
      resident_bytes(r.gauges("sluice_resident_bytes",
                              "Resident memory of a process in bytes, shared pages included, by process: daemon, "
                              "codec, worker.",
                              {"process"})),
      connections(r.gauge("sluice_connections", "Open HTTP connections, idle ones included.")) {}

void ServingMetrics::observe(const AccessEntry& entry) {
  requests.with({entry.route, std::to_string(entry.status)}).add();
  if (was_refused(entry)) refusals.with({entry.error_code}).add();
  if (entry.total) request_seconds.observe(to_seconds(*entry.total));
  if (entry.first_token) first_token_seconds.with({entry.cls}).observe(to_seconds(*entry.first_token));
  if (entry.late) deadline_misses.with({entry.cls}).add();
}

}  // namespace sluice::telemetry
