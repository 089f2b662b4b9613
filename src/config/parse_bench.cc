#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "config/bench_words.h"
#include "config/check.h"
#include "config/model_file.h"
#include "config/parse.h"
#include "config/take.h"

namespace sluice::config {
namespace {

template <class Number>
Flags::Take numbers_into(std::vector<Number>& target, Number min, Number max, std::string what) {
  return [&target, min, max, what = std::move(what)](const std::string& word) -> Result<void> {
    target.clear();
    for (const std::string& part : split(word, ',')) {
      auto number = number_in<Number>(part, min, max, what);
      if (!number) return std::unexpected(std::move(number.error()));
      target.push_back(*number);
    }
    return {};
  };
}

template <class Value>
Result<Value> one_of(const std::string& word, std::initializer_list<std::pair<const char*, Value>> words) {
  std::string known;
  for (const auto& [name, value] : words) {
    if (word == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  return fail(ErrorCode::invalid, "'" + word + "' is not possible; there are " + known);
}

Result<std::vector<BenchSampling>> sampling_named(const std::string& word) {
  std::vector<BenchSampling> sampling;
  for (const std::string& part : split(word, ',')) {
    auto one = one_of<BenchSampling>(part, {{"greedy", BenchSampling::greedy}, {"sampled", BenchSampling::sampled}});
    if (!one) return std::unexpected(std::move(one.error()));
    sampling.push_back(*one);
  }
  return sampling;
}

void declare_servers(Flags& flags, BenchOptions& o, std::vector<std::string>& sweeps) {
  flags.repeated(
      "--start", "NAME=KIND[,option=value]...",
      "a server to start and measure. Kinds: sluice, llama-server, superfluid, mlx-lm, ollama, command. Options: "
      "program, model, lanes, context, threads, arg, env.NAME, ready",
      [&o](const std::string& word) -> Result<void> {
        auto start = bench_start(word);
        if (!start) return std::unexpected(std::move(start.error()));
        o.starts.push_back(std::move(*start));
        return {};
      });
  flags.repeated("--url", "[NAME=]URL[,kind=KIND][,model=ID]", "a server that runs already",
                 [&o](const std::string& word) -> Result<void> {
                   auto url = bench_url(word);
                   if (!url) return std::unexpected(std::move(url.error()));
                   o.urls.push_back(std::move(*url));
                   return {};
                 });
  flags.repeated("--sweep", "OPTION=A,B,...", "each started server once with each value of an option",
                 [&sweeps](const std::string& word) -> Result<void> {
                   sweeps.push_back(word);
                   return {};
                 });
  flags.text("--model", "FILE", "model of the servers that are started (default: as for `sluice serve`)", o.model_path);
  flags.text("--api-key", "KEY", "key for all servers", o.api_key);
  flags.option("--lanes", "N", "answers at once of each started server (default 8)",
               number_into<uint32_t>(o.lanes, 1, limits::lanes_max, "a number of lanes"));
  flags.option("--context", "N", "tokens of one lane, of each started server (default 4096)",
               number_into<uint32_t>(o.context, limits::window_tokens_min, limits::window_tokens_max, "a context"));
  flags.option("--threads", "N", "threads of each started server (default: its own)",
               number_into<uint32_t>(o.threads, 1, limits::threads_max, "a number of threads"));
}

void declare_load(Flags& flags, BenchOptions& o) {
  const auto tokens_max = limits::window_tokens_max;
  flags.option("--tokens", "N", "tokens of an answer (default: the cell's)",
               number_into<uint32_t>(o.tokens, 1, tokens_max, "a number of tokens"));
  flags.option("--prompt-tokens", "N,...", "tokens of prompts, about (default: the cell's)",
               numbers_into<uint32_t>(o.prompt_tokens, 0, tokens_max, "a number of tokens"));
  flags.option("--levels", "N,...", "answers at once (default: the cell's)",
               numbers_into<uint32_t>(o.levels, 1, limits::bench_streams_max, "a level"));
  flags.option("--gaps", "N,...", "of `shared`: milliseconds between requests (default 0,10,100,1000)",
               numbers_into<uint32_t>(o.gaps, 0, 600'000, "a number of milliseconds"));
  flags.toggle("--may-end", "answers may end before their last token (for servers that do not know ignore_eos)",
               o.may_end);
  flags.option("--sampling", "WORDS", "of `decode`: greedy, sampled or both, with a comma (default both)",
               converted_into(o.sampling, sampling_named));
  flags.option("--mode", "raw|chat", "how prompts are asked (default: raw, where every server has it)",
               converted_into(o.mode, [](const std::string& word) {
                 return one_of<BenchMode>(word, {{"raw", BenchMode::raw}, {"chat", BenchMode::chat}});
               }));
  flags.option("--thinking", "on|off", "asked of the chat template (default: as it is)",
               converted_into(o.thinking, [](const std::string& word) {
                 return one_of<bool>(word, {{"on", true}, {"off", false}});
               }));
  flags.option("--rates", "X,...", "of `arrivals`: requests a second",
               numbers_into<double>(o.rates, 0.001, 10000, "a rate"));
  flags.option("--seconds", "N", "of `arrivals` and `sustained`",
               number_into<uint32_t>(o.seconds, 1, 86400, "a number of seconds"));
  flags.option("--first-token-ms", "N", "of `arrivals`: an answer counts where it begins within this (default 2000)",
               number_into<uint32_t>(o.first_token_ms, 1, 600'000, "a number of milliseconds"));
  flags.option("--pace", "X", "of `arrivals`: and goes on at this many tokens a second (default 5)",
               number_into<double>(o.pace, 0.0, 10000.0, "a pace"));
  flags.text("--class", "NAME", "of `behind`: also measure the short chat with this class, where servers have classes",
             o.class_name);
}

void declare_run(Flags& flags, BenchOptions& o) {
  flags.option("--pairs", "N", "samples of each variant and server that shall count (default 9)",
               number_into<uint32_t>(o.pairs, 1, limits::bench_pairs_max, "a number of pairs"));
  flags.option("--warm-ups", "N", "samples before them that do not (default 1)",
               number_into<uint32_t>(o.warm_ups, 0, limits::bench_pairs_max, "a number of warm-ups"));
  flags.option("--others-max", "X", "share of a core that other processes may use beside a sample (default 0.15)",
               number_into<double>(o.others_max, 0.0, 1024.0, "a share"));
  flags.option("--seed", "N", "of prompts, draws and intervals (default: the time)",
               number_into<uint64_t>(o.seed, 0, UINT64_MAX, "a seed"));
  flags.toggle("--agreement", "also compare what the servers answer at temperature 0, alone and at once", o.agreement);
  flags.text("--out", "FILE", "where the result goes (default bench-DATE.json)", o.out);
}

Result<void> check_together(BenchOptions& o, const std::vector<std::string>& sweeps) {
  for (const std::string& sweep : sweeps) {
    auto rows = swept(o.starts, sweep);
    if (!rows) return fail(rows.error().code, rows.error().message, "--sweep");
    o.starts = std::move(*rows);
  }
  const size_t rows = o.starts.size() + o.urls.size();
  if (rows == 0) return fail(ErrorCode::invalid, "no server; --start sluice or --url http://127.0.0.1:8484 names one");
  if (rows > limits::bench_rows_max) {
    return fail(ErrorCode::invalid, fmt::format("{} servers; {} at most", rows, limits::bench_rows_max), "--start");
  }
  if (!sweeps.empty() && o.starts.empty()) {
    return fail(ErrorCode::invalid, "only servers that are started can be swept; there is no --start", "--sweep");
  }
  if (o.thinking && o.mode == BenchMode::raw) {
    return fail(ErrorCode::invalid, "raw prompts have no template that would think; --mode chat has", "--thinking");
  }
  if (o.cells.empty()) return fail(ErrorCode::invalid, "no cell; `sluice bench --help` lists them");
  return {};
}

bool needs_model(const BenchStart& start) { return start.model.empty() && start.kind != "command"; }

std::string dated_name() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  char name[64];
  std::strftime(name, sizeof name, "bench-%Y%m%d-%H%M%S.json", &parts);
  return name;
}

}  // namespace

Parsed<BenchOptions> parse_bench(std::vector<std::string> arguments, const std::filesystem::path& executable_folder) {
  BenchOptions o;
  std::vector<std::string> sweeps;
  o.seed = static_cast<uint64_t>(std::time(nullptr));
  Flags flags(
      "bench",
      "Measures servers side by side, as their users feel them.\nCells: decode prefill two depth ttft concurrent "
      "behind shared turns arrivals sustained start switch busy.\n`sluice bench report RESULT.json...` shows results.");
  flags.positionals("CELL", "what to measure; several are measured one after another", o.cells);
  declare_servers(flags, o, sweeps);
  declare_load(flags, o);
  declare_run(flags, o);
  if (std::optional<Stop> stop = flags.parse(std::move(arguments))) return std::unexpected(*stop);
  if (Result<void> fits = check_together(o, sweeps); !fits) return std::unexpected(flags.refuse(fits.error()));
  if (std::ranges::any_of(o.starts, needs_model)) {
    auto model = find_model(o.model_path, model_folders(executable_folder));
    if (!model) return std::unexpected(flags.refuse(model.error()));
    o.model_path = std::move(*model);
  }
  if (o.thinking) o.mode = BenchMode::chat;
  if (o.out.empty()) o.out = dated_name();
  return o;
}

Parsed<BenchReportOptions> parse_bench_report(std::vector<std::string> arguments) {
  BenchReportOptions o;
  Flags flags("bench report", "Shows results of `sluice bench`: as a page, or as Markdown on stdout.");
  flags.positionals("RESULT", "a result file; several are shown one after another", o.results);
  flags.text("--html", "FILE", "write one self-contained page", o.html);
  flags.text("--markdown", "FILE", "write Markdown tables", o.markdown);
  if (std::optional<Stop> stop = flags.parse(std::move(arguments))) return std::unexpected(*stop);
  if (o.results.empty()) return std::unexpected(flags.refuse({ErrorCode::invalid, "no result file", ""}));
  return o;
}

}  // namespace sluice::config
