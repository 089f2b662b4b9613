// Every bound on what grows from outside, with its unit, in one place; relations between them are checked here.
// A limit that an option may change gives the option's default and its ceiling.
#pragma once

#include <array>
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
inline constexpr auto write_stall_time_max = 60s;      // an answer of which the client takes nothing for this long
inline constexpr auto linger_time_max = 2s;            // after a refused request, input is dropped this long
inline constexpr size_t refused_connections_max = 64;  // over connections_max: answered 503; more are just closed
inline constexpr auto accept_retry_time = 100ms;       // after the system refused a connection (no descriptors)
inline constexpr size_t json_depth_max = 64;
inline constexpr size_t sse_event_bytes_max = 4u << 20;   // of an answer that `sluice run` reads
inline constexpr size_t pipelined_bytes_max = 64u << 10;  // read ahead while a request is answered

// Telemetry
inline constexpr size_t log_queue_lines_max = 8192;  // lines that wait for the log thread; then the oldest is lost
inline constexpr size_t metric_series_max = 8192;    // of one metric: label values come from tables, never from clients

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
inline constexpr size_t session_id_bytes_max = 1024;

// API keys
inline constexpr size_t api_keys_max = 1024;
inline constexpr size_t key_name_bytes_max = 64;
inline constexpr size_t key_file_bytes_max = 1u << 20;
inline constexpr uint32_t key_requests_per_minute_max = 1u << 20;
inline constexpr uint32_t key_tokens_per_minute_max = 1u << 30;

// Waiting
inline constexpr size_t live_generations_max = 1024;  // in one daemon, waiting and running; --queue-max may be less
inline constexpr auto queue_time_default = 600s;      // --queue-time-ms: as long as OpenAI's clients wait
inline constexpr auto queue_time_max = 86400s;
inline constexpr auto deadline_max = 86400s;        // of a whole answer, as its request may name it
inline constexpr auto ready_wait_max = 60s;         // a request waits this long for a worker that (re)starts
inline constexpr auto drain_seconds_default = 30s;  // --drain-seconds
inline constexpr auto drain_seconds_max = 86400s;
inline constexpr auto drain_notice_max = 2s;  // after SIGTERM, new requests are still served this long
inline constexpr auto drain_flush_max = 2s;   // then connections close, read or not
inline constexpr auto retry_after_default = 2s;

// Engine
inline constexpr uint32_t lanes_max = 64;
inline constexpr uint32_t sequences_max = 256;      // llama.cpp's own bound
inline constexpr uint32_t window_tokens_min = 256;  // runtimes round windows up to this
inline constexpr uint32_t window_tokens_max = 1u << 20;
inline constexpr uint32_t batch_tokens_max = 1u << 16;  // --batch, --ubatch
inline constexpr uint32_t threads_max = 1024;           // --threads
inline constexpr int32_t gpu_layers_max = 1 << 16;      // --gpu-layers
inline constexpr uint32_t logits_rows_min = 64;         // a library call can give at least this many
inline constexpr auto chunk_time_default = 250ms;       // predicted time of one step that reads prompts
inline constexpr auto chunk_time_min = 1ms;             // --chunk-ms
inline constexpr auto chunk_time_max = 10s;
inline constexpr auto pace_max = 10s;  // --pace-ms
// Of a step in which generations of a class decode, by class: interactive, completion, agent, background. 0: as long as
// a step may take that reads prompts.
inline constexpr std::array<std::chrono::nanoseconds, 4> pace_default = {100ms, 100ms, 200ms, 0ms};
inline constexpr uint64_t unacknowledged_steps_max = 64;

// Processes
inline constexpr uint32_t frame_bytes_max = 32u << 20;
inline constexpr size_t outbox_bytes_max = 64u << 20;  // frames a process has written and its peer has not read
inline constexpr size_t inbox_letters_max = 4 * live_generations_max;  // read from the daemon, not yet taken by a step
inline constexpr auto step_end_time_max = 2s;          // a worker whose daemon is gone waits this long for its step
inline constexpr auto flush_time_max = 10s;            // a worker that ends waits this long for its frames to be read
inline constexpr size_t library_errors_kept_max = 16;  // lines, of one failed attempt
inline constexpr size_t stderr_tail_bytes_max = 16u << 10;
inline constexpr size_t death_notice_lines_max = 10;  // of stderr, shown with a death
inline constexpr auto hello_time_max = 20s;
inline constexpr auto load_time_max = 3600s;
inline constexpr auto ping_interval = 2s;
inline constexpr auto look_time_max = 1s;   // GET /slots waits this long for the worker's word
inline constexpr auto hung_step_min = 10s;  // hung: older than max(this, hung_step_forecasts x forecast)
inline constexpr int hung_step_forecasts = 20;
inline constexpr auto vocabulary_time_max = 60s;    // a codec opens its model's vocabulary
inline constexpr auto process_exit_time_max = 10s;  // from closing its socket to its end
inline constexpr int first_start_deaths_max = 3;    // a process that was never ready is then not started again
inline constexpr auto codec_call_time_max = 10s;
inline constexpr size_t codec_calls_max = 1024;
inline constexpr size_t codec_calls_bytes_max = 64u << 20;  // of all calls that wait for their answer
inline constexpr auto restart_backoff_min = 100ms;
inline constexpr auto restart_backoff_max = 10s;
inline constexpr auto restart_backoff_reset = 30s;  // healthy this long: the next death starts at min again

// Tuning
inline constexpr auto tuning_time_max = 20s;        // of measuring at a first load; then the default is taken
inline constexpr auto tuning_time_aim = 4s;         // no further round begins that would end later
inline constexpr auto tuning_prompt_time_aim = 1s;  // of one call of a prompt: fewer rows where they take longer
inline constexpr uint32_t tuning_rounds_max = 3;
inline constexpr uint32_t tuning_lanes_max = 8;  // measured at once, of those there are
inline constexpr uint32_t tuning_prompt_rows_max = 256;
inline constexpr uint32_t tuning_deep_tokens_max = 2048;
inline constexpr size_t tuning_candidates_max = 16;
inline constexpr size_t tuning_remark_bytes_max = 1024;
inline constexpr size_t tuning_file_bytes_max = 64u << 10;
inline constexpr size_t tuning_files_max = 256;  // kept in a state folder; the oldest goes

// Learned costs
inline constexpr auto cost_time_max = 3600s;  // of a pass, row, copy or token's KV: more is a machine that stood still
inline constexpr auto costs_interval = 10s;   // a busy worker says what it learned; a daemon writes no more often
inline constexpr size_t cost_file_bytes_max = 16u << 10;
inline constexpr size_t cost_files_max = 256;  // kept in a state folder; the oldest goes

// Results of measurements
inline constexpr size_t bench_result_bytes_max = 512u << 20;  // one file that is read back

// GGUF headers
inline constexpr uint64_t gguf_pairs_max = 1u << 16;
inline constexpr uint64_t gguf_tensors_max = 1u << 20;
inline constexpr uint64_t gguf_string_bytes_max = 16u << 20;
inline constexpr uint64_t gguf_array_items_max = 1u << 24;
inline constexpr uint64_t gguf_key_bytes_max = 64u << 10;
inline constexpr uint64_t gguf_kept_items_max = 4096;  // numbers of an array that are kept: settings of layers
inline constexpr uint64_t gguf_header_bytes_max = 512u << 20;
inline constexpr uint64_t gguf_alignment_max = 1u << 20;
inline constexpr uint64_t gguf_layers_max = gguf_kept_items_max;
inline constexpr uint64_t gguf_heads_max = 1u << 16;
inline constexpr uint64_t gguf_head_length_max = 1u << 20;
inline constexpr uint64_t gguf_kv_elements_max = 1ull << 32;  // of one token, K or V

// Measuring
inline constexpr auto bench_silence_max = 600s;       // an answer of which nothing came for this long is given up
inline constexpr auto bench_answer_time_max = 1800s;  // one that goes on for longer, however it does
inline constexpr size_t bench_answer_bytes_max = 256u << 20;
inline constexpr auto bench_ready_time_max = 600s;                  // a server that was started may load this long
inline constexpr auto bench_end_time_max = 15s;                     // from SIGTERM to SIGKILL
inline constexpr size_t bench_output_tail_bytes_max = 8u << 10;     // kept of what a server wrote
inline constexpr size_t bench_first_output_bytes_max = 256u << 10;  // searched for what it says of the machine
inline constexpr uint32_t bench_streams_max = 4096;
inline constexpr uint32_t bench_rows_max = 64;
inline constexpr uint32_t bench_pairs_max = 1000;

static_assert(body_bytes_max < frame_bytes_max, "a request body must fit the frame that carries it on");
static_assert(frame_bytes_max <= outbox_bytes_max / 2, "one frame may wait behind another");
static_assert(frame_bytes_max <= codec_calls_bytes_max);
static_assert(window_tokens_max * sizeof(int32_t) < frame_bytes_max, "a full window must fit one Submit");
static_assert(lanes_max <= sequences_max);
static_assert(4 * (api_keys_max + 1) <= metric_series_max, "the generations of each class and key are a series");
static_assert(window_tokens_min <= window_tokens_max);
static_assert(2 * send_buffer_bytes_max <= outbox_bytes_max);

}  // namespace sluice::limits
