// Every metric of the daemon: name, exact meaning, labels, buckets. Whoever knows a figure adds to it or sets it;
// gauges and followed totals are set before a scrape is rendered. Refuses to know where the figures come from.
// Thread: core. Lifetime: not longer than its registry.
#pragma once

#include "telemetry/access_log.h"
#include "telemetry/metrics.h"

namespace sluice::telemetry {

struct ServingMetrics final {
  explicit ServingMetrics(Registry& registry);

  void observe(const AccessEntry& entry);  // requests, refusals and the three histograms

  CounterFamily& requests;  // route, status
  Histogram& request_seconds;
  Histogram& first_token_seconds;
  Histogram& queue_seconds;
  Counter& prompt_tokens;
  Counter& cached_tokens;
  Counter& completion_tokens;
  Gauge& tokens_per_second;
  Gauge& generations_running;
  Gauge& generations_waiting;
  GaugeFamily& generations_live;        // class, key
  CounterFamily& refusals;              // code
  CounterFamily& generations_finished;  // reason: stop, length, deadline, cancelled, failed, refused
  Gauge& lanes;
  Gauge& lanes_busy;
  CounterFamily& rows;  // kind: prefill, decode
  Counter& steps;
  Counter& passes;
  Gauge& generations_preempted;
  Counter& preemptions;
  Counter& parked_tokens;
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
