#include "config/check.h"
#include "config/parse.h"
#include "config/take.h"

namespace sluice::config {
namespace {

constexpr std::string_view kScheme = "http://";

Result<void> check_together(const RunOptions& o) {
  if (!o.url.empty() && !o.model.empty()) {
    return fail(ErrorCode::invalid, "a server that runs already has its model; leave MODEL or --url away", "--url");
  }
  if (!o.url.empty() && !o.url.starts_with(kScheme)) {
    return fail(ErrorCode::invalid, "'" + o.url + "' is not possible; http://127.0.0.1:8484 would be", "--url");
  }
  return {};
}

}  // namespace

Parsed<RunOptions> parse_run(std::vector<std::string> arguments) {
  RunOptions o;
  Flags flags("run", "Chats with a model in the terminal: each line is a turn, the end of input ends it.");
  flags.positional("MODEL", "a .gguf file to serve meanwhile (default: as for `sluice serve`)", o.model);
  flags.text("--url", "URL", "a server that runs already (default: start one)", o.url);
  flags.text("--api-key", "KEY", "key for that server", o.api_key);
  flags.text("--system", "TEXT", "system message before the first turn", o.system);
  flags.option("--max-tokens", "N", "tokens of one answer at most (default: the server's)",
               number_into<uint32_t>(o.max_tokens, 1, limits::max_tokens_max, "a number of tokens"));
  flags.option("--temperature", "X", "0 is greedy (default: the server's)",
               number_into<double>(o.temperature, 0.0, 2.0, "a temperature"));
  flags.option("--seed", "N", "the same seed gives the same answers (default: another each time)",
               number_into<uint64_t>(o.seed, 0, UINT64_MAX, "a seed"));
  flags.option("--runtime", "NAME", "runtime of the server that is started (default llamacpp)",
               converted_into(o.runtime, runtime_name));
  if (std::optional<Stop> stop = flags.parse(std::move(arguments))) return std::unexpected(*stop);
  if (Result<void> fits = check_together(o); !fits) return std::unexpected(flags.refuse(fits.error()));
  return o;
}

}  // namespace sluice::config
