#include <filesystem>

#include "config/address.h"
#include "config/check.h"
#include "config/key_sources.h"
#include "config/order_flags.h"
#include "config/parse.h"
#include "config/queue_flags.h"
#include "config/serve_flags.h"
#include "config/take.h"

namespace sluice::config {
namespace {

void declare_listening(Flags& flags, ServeOptions& o) {
  flags.option("--host", "ADDRESS", "address to listen on (default 127.0.0.1)", converted_into(o.host, listen_address));
  flags.option("--port", "N", "port to listen on; 0: the system chooses (default 8484)",
               number_into<uint16_t>(o.port, 0, UINT16_MAX, "a port"));
  flags.repeated("--api-key", "KEY", "a key that requests may carry; without any none is needed",
                 [&o](const std::string& word) -> Result<void> {
                   if (word.empty()) return fail(ErrorCode::invalid, "a key must not be empty");
                   o.key_sources.plain.push_back(word);
                   return {};
                 });
  flags.text("--api-key-file", "FILE", "more keys, one a line; read again at SIGHUP", o.key_sources.plain_file);
  flags.text("--api-keys", "FILE", "more keys, with names, classes and limits (TOML); read again at SIGHUP",
             o.key_sources.table_file);
  flags.toggle("--metrics-open", "/metrics needs no key", o.metrics_open);
  flags.toggle("--insecure", "listen without a key where other machines can connect", o.insecure);
}

void declare_capacity(Flags& flags, ServeOptions& o, std::optional<uint32_t>& ubatch) {
  flags.option("--max-tokens", "N", "tokens of an answer whose request names none (default: the rest of the context)",
               number_into<uint32_t>(o.max_tokens, 1, limits::max_tokens_max, "a number of tokens"));
  flags.option("--threads", "N", "threads that compute; 0: as many as were measured to be fast (default 0)",
               number_into<uint32_t>(o.load.threads, 0, limits::threads_max, "a number of threads"));
  flags.option("--batch", "N", "tokens of one call of the runtime at most (default 2048)",
               number_into<uint32_t>(o.load.batch, 1, limits::batch_tokens_max, "a batch"));
  flags.option("--ubatch", "N", "tokens of one pass at most (default 512, or --batch where that is less)",
               number_into<uint32_t>(ubatch, 1, limits::batch_tokens_max, "a ubatch"));
}

void declare_tuning(Flags& flags, ServeOptions& o) {
  flags.option("--flash-attn", "auto|on|off",
               "flash attention (default auto: what is exact, and was measured to be fast)",
               converted_into(o.load.flash_attention, flash_attention));
  flags.option("--tune", "auto|off",
               "auto: at the first load of a model, what --flash-attn and --threads leave open is measured, and kept; "
               "off: the runtime's defaults (default auto)",
               converted_into(o.tune, tune_mode));
}

void declare_service(Flags& flags, ServeOptions& o) {
  flags.option("--name", "NAME", "the model's id in requests and replies (default: the file's name without .gguf)",
               converted_into(o.name, model_name));
  flags.repeated("--alias", "NAME[=CLASS][,...]",
                 "more ids that requests may use; with a class: of requests that name none",
                 [&o](const std::string& word) { return add_aliases(word, o.aliases); });
  flags.option("--drain-seconds", "N",
               fmt::format("after SIGTERM, running answers may go on this long (default {})",
                           limits::drain_seconds_default.count()),
               [&o](const std::string& word) -> Result<void> {
                 auto seconds = number_in<uint32_t>(word, 0, limits::drain_seconds_max.count(), "a number of seconds");
                 if (!seconds) return std::unexpected(std::move(seconds.error()));
                 o.drain = std::chrono::seconds(*seconds);
                 return {};
               });
  flags.option("--log-level", "error|warn|info|debug", "what stderr tells (default info)",
               converted_into(o.log_level, log_level));
}

Result<void> complete(ServeOptions& o, std::optional<uint32_t> ubatch, std::optional<uint32_t> key_queue,
                      const std::filesystem::path& executable_folder) {
  o.load.ubatch = ubatch.value_or(std::min(o.load.ubatch, o.load.batch));
  Result<std::vector<ApiKey>> keys = read_keys(o.key_sources);
  if (!keys) return std::unexpected(std::move(keys.error()));
  o.api_keys = std::move(*keys);
  // One key alone has nobody to leave room for.
  o.queue.by_key = key_queue.value_or(o.api_keys.size() > 1 ? (o.queue.total + 1) / 2 : o.queue.total);
  if (Result<void> fits = check_together(o); !fits) return fits;
  return resolve(o, executable_folder);
}

}  // namespace

Parsed<ServeOptions> parse_serve(std::vector<std::string> arguments, const std::filesystem::path& executable_folder) {
  ServeOptions options;
  std::optional<uint32_t> ubatch, key_queue;
  Flags flags("serve", "Serves a model over HTTP until SIGTERM or Ctrl-C.");
  declare_model(flags, options);
  declare_listening(flags, options);
  declare_window(flags, options);
  declare_capacity(flags, options, ubatch);
  declare_order(flags, options.load);
  declare_device(flags, options);
  declare_tuning(flags, options);
  declare_runtime(flags, options);
  declare_service(flags, options);
  declare_queue(flags, options.queue, key_queue);
  declare_state(flags, options);
  if (std::optional<Stop> stop = flags.parse(std::move(arguments))) return std::unexpected(*stop);
  if (Result<void> whole = complete(options, ubatch, key_queue, executable_folder); !whole) {
    return std::unexpected(flags.refuse(whole.error()));
  }
  return options;
}

}  // namespace sluice::config
