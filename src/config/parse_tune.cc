#include "config/check.h"
#include "config/parse.h"
#include "config/serve_flags.h"
#include "config/take.h"

namespace sluice::config {
namespace {

Result<void> take_pin(const std::string& name, const std::string& value, TuneOptions& o) {
  if (name == "threads") {
    auto threads = number_in<uint32_t>(value, 1, limits::threads_max, "a number of threads");
    if (threads) o.pin_threads = *threads;
    return threads ? Result<void>{} : std::unexpected(std::move(threads.error()));
  }
  if (name == "flash-attn" && (value == "on" || value == "off")) {
    o.pin_flash_attention = value == "on";
    return {};
  }
  return fail(ErrorCode::invalid,
              fmt::format("'{}={}' is not possible; flash-attn=on, flash-attn=off and threads=N are", name, value));
}

// "flash-attn=on,threads=2"
Result<void> take_pins(const std::string& word, TuneOptions& o) {
  for (size_t from = 0; from <= word.size();) {
    const size_t comma = std::min(word.find(',', from), word.size());
    const std::string pin = word.substr(from, comma - from);
    const size_t equals = std::min(pin.find('='), pin.size());
    const std::string value = equals < pin.size() ? pin.substr(equals + 1) : "";
    if (auto taken = take_pin(pin.substr(0, equals), value, o); !taken) return taken;
    from = comma + 1;
  }
  return {};
}

Result<void> check_together(const TuneOptions& o) {
  if (o.redo + o.unpin + o.pins() > 1)
    return fail(ErrorCode::invalid, "one of --redo, --pin and --unpin at a time", "--redo");
  ServeOptions serve = o.serve;
  if (o.pin_flash_attention)
    serve.load.flash_attention = *o.pin_flash_attention ? FlashAttention::on : FlashAttention::off;
  return check_together(serve);
}

}  // namespace

Parsed<TuneOptions> parse_tune(std::vector<std::string> arguments, const std::filesystem::path& executable_folder) {
  TuneOptions o;
  o.serve.tune = TuneMode::again;
  Flags flags("tune",
              "Shows what was measured of a model on this machine and which settings `sluice serve` uses with it. The "
              "other options say which serve is meant.");
  declare_model(flags, o.serve);
  flags.toggle("--redo", "measure again, and keep what comes of it", o.redo);
  flags.option("--pin", "flash-attn=on|off,threads=N", "use these, whatever is measured, until --unpin",
               [&o](const std::string& word) { return take_pins(word, o); });
  flags.toggle("--unpin", "use what is measured", o.unpin);
  declare_window(flags, o.serve);
  declare_device(flags, o.serve);
  declare_runtime(flags, o.serve);
  declare_state(flags, o.serve);
  if (std::optional<Stop> stop = flags.parse(std::move(arguments))) return std::unexpected(*stop);
  if (Result<void> fits = check_together(o); !fits) return std::unexpected(flags.refuse(fits.error()));
  if (Result<void> whole = resolve(o.serve, executable_folder); !whole) {
    return std::unexpected(flags.refuse(whole.error()));
  }
  return o;
}

}  // namespace sluice::config
