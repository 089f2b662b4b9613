// Every metric of the daemon: name, exact meaning, labels, buckets. Whoever knows a figure adds to it or sets it;
// gauges and followed totals are set before a scrape is rendered. Refuses to know where the figures come from.
// Thread: core. Lifetime: not longer than its registry.
#pragma once

#include "telemetry/access_log.h"
#include "telemetry/metrics.h"

namespace sluice::telemetry {

struct ServingMetrics final {
  explicit ServingMetrics(Registry& registry);

  // Requests, refusals, deadlines that were missed, and the histograms of requests.
  void observe(const AccessEntry& entry);

  CounterFamily& requests;  // route, status
  Histogram& request_seconds;
  HistogramFamily& first_token_seconds;  // class
  HistogramFamily& queue_seconds;        // class
  Counter& prompt_tokens;
  Counter& cached_tokens;
  Counter& completion_tokens;
  Gauge& tokens_per_second;
  Gauge& generations_running;
  Gauge& generations_waiting;
  GaugeFamily& queue_depth;             // class
  GaugeFamily& generations_live;        // class, key
  CounterFamily& refusals;              // code
  CounterFamily& deadline_misses;       // class
  CounterFamily& generations_finished;  // reason: stop, length, deadline, cancelled, failed, refused
  Gauge& lanes;
  Gauge& lanes_busy;
  CounterFamily& rows;   // kind: prefill, decode
  CounterFamily& calls;  // kind: prefill, decode
  Counter& steps;
  Counter& passes;
  Gauge& generations_preempted;
  Counter& preemptions;
  Counter& parked_tokens;
  Gauge& kv_tokens_parked;
  Counter& tokens_again;
  CounterFamily& step_time;         // microseconds; kind: decode, prefill, move, draw
  CounterFamily& context_switches;  // kind: waited, interrupted
  Gauge& worker_ready;
  Counter& worker_starts;
  Counter& worker_deaths;
  Counter& codec_starts;
  Counter& codec_deaths;
  GaugeFamily& resident_bytes;  // process: daemon, codec, worker
  Gauge& connections;
};

}  // namespace sluice::telemetry
