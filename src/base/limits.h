// Every bound on what grows from outside, with its unit, in one place; relations between them are checked here.
// A limit that an option may change gives the option's default and its ceiling.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace sluice::limits {

using namespace std::chrono_literals;

// HTTP
inline constexpr size_t body_bytes_max = 16u << 20;
inline constexpr size_t header_bytes_max = 64u << 10;
inline constexpr size_t connections_max = 4096;
inline constexpr size_t send_buffer_bytes_max = 4u << 20;  // a client that reads slower than this loses its stream
inline constexpr size_t request_id_bytes_max = 128;
inline constexpr auto header_read_time_max = 30s;
inline constexpr auto body_read_time_max = 60s;
inline constexpr auto idle_connection_time_max = 300s;
inline constexpr size_t json_depth_max = 64;
inline constexpr size_t pipelined_bytes_max = 64u << 10;  // read ahead while a request is answered

// Requests
inline constexpr size_t messages_max = 4096;
inline constexpr size_t choices_max = 16;  // n
inline constexpr size_t prompts_max = 16;  // prompts of one /v1/completions; times n stays <= choices_max
inline constexpr size_t stop_strings_max = 16;
inline constexpr size_t stop_string_bytes_max = 512;
inline constexpr size_t logit_bias_entries_max = 1024;
inline constexpr size_t top_logprobs_max = 20;
inline constexpr uint32_t max_tokens_max = 1u << 20;
inline constexpr uint32_t repeat_last_n_max = 1u << 16;
inline constexpr size_t model_name_bytes_max = 256;
inline constexpr size_t aliases_max = 64;
inline constexpr size_t api_keys_max = 1024;

// Waiting
inline constexpr size_t live_generations_max = 1024;  // in one daemon, waiting and running
inline constexpr auto ready_wait_max = 60s;           // a request waits this long for a worker that (re)starts
inline constexpr auto drain_seconds_default = 30s;    // --drain-seconds
inline constexpr auto drain_notice_max = 2s;          // after SIGTERM, new requests are still served this long
inline constexpr auto retry_after_default = 2s;

// Engine
inline constexpr uint32_t lanes_max = 64;
inline constexpr uint32_t sequences_max = 256;  // llama.cpp's own bound
inline constexpr uint32_t window_tokens_max = 1u << 20;
inline constexpr auto chunk_time_default = 250ms;  // predicted time of the prefill part of one step
inline constexpr uint64_t unacknowledged_steps_max = 64;

// Processes
inline constexpr uint32_t frame_bytes_max = 32u << 20;
inline constexpr size_t outbox_bytes_max = 64u << 20;  // frames a process has written and its peer has not read
inline constexpr size_t stderr_tail_bytes_max = 16u << 10;
inline constexpr auto hello_time_max = 20s;
inline constexpr auto load_time_max = 3600s;
inline constexpr auto ping_interval = 2s;
inline constexpr auto hung_step_min = 10s;  // hung: older than max(this, hung_step_forecasts x forecast)
inline constexpr int hung_step_forecasts = 20;
inline constexpr auto codec_call_time_max = 10s;
inline constexpr size_t codec_calls_max = 1024;
inline constexpr auto restart_backoff_min = 100ms;
inline constexpr auto restart_backoff_max = 10s;
inline constexpr auto restart_backoff_reset = 30s;  // healthy this long: the next death starts at min again

// GGUF headers
inline constexpr uint64_t gguf_pairs_max = 1u << 16;
inline constexpr uint64_t gguf_tensors_max = 1u << 20;
inline constexpr uint64_t gguf_string_bytes_max = 16u << 20;
inline constexpr uint64_t gguf_array_items_max = 1u << 24;

static_assert(body_bytes_max < frame_bytes_max, "a request body must fit the frame that carries it on");
static_assert(window_tokens_max * sizeof(int32_t) < frame_bytes_max, "a full window must fit one Submit");
static_assert(lanes_max <= sequences_max);
static_assert(2 * send_buffer_bytes_max <= outbox_bytes_max);

}  // namespace sluice::limits
