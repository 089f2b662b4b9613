#include "bench/report/words.h"

#include <algorithm>
#include <array>

namespace sluice::bench::report {
namespace {

constexpr std::array kCells = {
    CellWords{"decode", "Decode", "Distinct prompts, answered at once: how fast tokens come, by number of streams."},
    CellWords{"prefill", "Prefill", "A long prompt that nobody has sent before: how fast it is read."},
    CellWords{"two", "Two at once", "The same prompt twice at the same moment."},
    CellWords{"depth", "Depth", "The rate of a single stream whose context is already that long."},
    CellWords{"ttft", "First token", "Chat streams that start together: how long each waits for its first token."},
    CellWords{"concurrent", "Concurrent streams", "Streams that start behind one barrier: rates, memory and health."},
    CellWords{"behind", "Behind agents", "A short chat that arrives while long agent requests keep the server busy."},
    CellWords{"shared", "Shared prefix", "A burst of requests that begin with the same long text."},
    CellWords{"turns", "Turns", "Conversations of several turns that come back one after another."},
    CellWords{"arrivals", "Arrivals",
              "Requests that arrive at random at a given rate, whether or not others are done."},
    CellWords{"sustained", "Sustained", "Minutes of steady load: does the end go as fast as the start?"},
    CellWords{"start", "Start", "From the start of the process until it serves, and the first request after that."},
    CellWords{"switch", "Switching models", "Two models in turn, and two that generate at the same time."},
    CellWords{"busy", "Busy machine", "The same work while another process uses the processor."},
    CellWords{"sweep", "Sweep", "The same work with one setting of the server varied."},
};

constexpr std::array kFigures = {
    FigureWords{"tokens_per_s", "tokens per second, all streams",
                "Completion tokens of all streams, divided by the time from the first send to the last answer's end."},
    FigureWords{"tokens_per_s_stream", "tokens per second of a stream",
                "The median of the streams of a sample: each one's tokens after the first, by the time they took."},
    FigureWords{"tokens_per_s_one", "tokens per second, one server",
                "One of two resident servers that generates while the other is idle."},
    FigureWords{"both_over_one", "two servers ÷ one",
                "The rate of two resident servers that generate at once, against one at a time."},
    FigureWords{"prefill_tokens_per_s", "prompt tokens per second",
                "Prompt tokens, divided by the time from the send to the first token."},
    FigureWords{"server_prefill_tokens_per_s", "prompt tokens per second, as the server says",
                "The same from the server's own timings."},
    FigureWords{"prompt_tokens", "prompt tokens", "How long the prompt was, as the server counts it."},
    FigureWords{"ttft_ms_p50", "time to first token, median",
                "From the send of a request to the first chunk with content: half of the requests wait less."},
    FigureWords{"ttft_ms_p90", "time to first token, 90th percentile", "One request of ten waits longer."},
    FigureWords{"ttft_ms_p99", "time to first token, 99th percentile", "One request of a hundred waits longer."},
    FigureWords{"ttft_ms_alone", "time to first token, alone", "The same request while nothing else is asked for."},
    FigureWords{"ttft_over_alone_ms", "wait caused by the others",
                "The first token behind others, less the one alone."},
    FigureWords{"ttft_ms_cold", "time to first token, first turn",
                "The first turn of a conversation: nothing is cached."},
    FigureWords{"later_over_cold", "later turn ÷ first turn",
                "First tokens of later turns against those of first ones: small is good, the past is not read again."},
    FigureWords{"gap_ms_p50", "gap between chunks, median", "The time between two chunks of one stream."},
    FigureWords{"gap_ms_p99", "gap between chunks, 99th percentile", "One gap of a hundred is longer."},
    FigureWords{"pause_ms_max", "longest pause", "The longest that any stream stood still after its first token."},
    FigureWords{"wall_ms", "wall time", "From the first send to the last answer's end."},
    FigureWords{"agents_wall_ms", "wall time of the agents", "How long the agents took that the chat waited behind."},
    FigureWords{"memory_bytes_peak", "peak memory",
                "The most that the server and the processes below it held, sampled while they worked."},
    FigureWords{"health_ms_max", "slowest /health", "The slowest answer of GET /health under load."},
    FigureWords{"metrics_ms_max", "slowest /metrics", "The slowest answer of GET /metrics under load."},
    FigureWords{"ready_ms", "time to ready", "From the start of the process until it answers that it is ready."},
    FigureWords{"first_request_ms", "first request", "The first request after the start, from its send to its end."},
    FigureWords{"prefills", "prefills", "How often the shared prefix was computed; 1 is the least possible."},
    FigureWords{"shared_over_distinct", "shared ÷ distinct",
                "The time of a burst with a shared prefix, against a burst of distinct prompts: small is good."},
    FigureWords{"cached_share", "share from a cache", "Prompt tokens that the server says it had already computed."},
    FigureWords{"goodput", "goodput", "The share of requests that met the targets for first token and pace."},
    FigureWords{"served", "served", "The share of requests that were answered at all."},
    FigureWords{"last_over_first", "last third ÷ first third",
                "The rate of the last third of the time against the first."},
    FigureWords{"kept_share", "rate kept", "The rate beside the disturbance, as a share of the rate without it."},
    FigureWords{"neighbour_kept_share", "pace of the other process",
                "How fast the competing process ran meanwhile, as a share of its pace alone."},
};

}  // namespace

CellWords words_of_cell(std::string_view name) {
  const auto found = std::ranges::find(kCells, name, &CellWords::name);
  return found != kCells.end() ? *found : CellWords{name, name, ""};
}

FigureWords words_of_figure(std::string_view name) {
  const auto found = std::ranges::find(kFigures, name, &FigureWords::name);
  return found != kFigures.end() ? *found : FigureWords{name, name, ""};
}

}  // namespace sluice::bench::report
