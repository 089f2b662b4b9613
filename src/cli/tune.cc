#include "cli/tune.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "base/build.h"
#include "tuning/decide.h"
#include "tuning/store.h"
#include "tuning/table.h"

namespace sluice::cli {
namespace {

constexpr int kFailed = 1;

int complain(const std::string& what) {
  std::fprintf(stderr, "sluice tune: %s\n", what.c_str());
  return kFailed;
}

void print(const std::string& text) { std::fputs(text.c_str(), stdout); }

// The folder and what in it is of the model that was named.
struct Place {
  tuning::Store store;
  tuning::Key key;
};

Result<Place> place_of(const config::ServeOptions& serve) {
  if (serve.state_folder.empty())
    return fail(ErrorCode::not_found, "neither XDG_STATE_HOME nor HOME names a state folder; --state-dir does");
  auto key = tuning::key_of(serve.load, serve.runtime, build_id());
  if (!key) return std::unexpected(std::move(key.error()));
  return Place{tuning::Store(std::filesystem::path(serve.state_folder) / "tuning"), *std::move(key)};
}

std::string head_of(const config::ServeOptions& serve, const tuning::Key& key) {
  return fmt::format("{}: {}, K {}, V {}\n{}\n", serve.model_path, key.runtime, key.cache_type_k, key.cache_type_v,
                     key.machine);
}

std::string words_of(const tuning::Pin& pin) {
  std::string words;
  if (pin.flash_attention) words += fmt::format("flash attention {}", *pin.flash_attention ? "on" : "off");
  if (pin.threads)
    words += fmt::format("{}{} thread{}", words.empty() ? "" : ", ", *pin.threads, *pin.threads == 1 ? "" : "s");
  return words;
}

std::string body_of(const std::optional<tuning::Stored>& stored, const std::string& model) {
  if (!stored)
    return fmt::format(
        "nothing is measured for this build and machine; the next `sluice serve` does it, and `sluice tune {} --redo` "
        "now\n",
        model);
  const Tuning& tuning = stored->tuning;
  const std::string remark =
      tuning.remark.empty() ? "" : fmt::format("not everything was measured: {}\n", tuning.remark);
  return fmt::format("measured on {} in {:.1f} s, build {}, {}\n{}{}", tuning::day_of(stored->made),
                     to_seconds(tuning.took), stored->key.build, stored->runtime_version, remark,
                     tuning::table_of(tuning));
}

std::string use_of(const tuning::Pin& pin, const std::optional<tuning::Stored>& stored) {
  const tuning::Decided decided = tuning::decide({}, pin, stored);
  if (decided.load.tune) return pin.empty() ? "" : fmt::format("{} (pinned; --unpin takes it back)\n", words_of(pin));
  return fmt::format("`sluice serve` uses {}{}\n", tuning::words_of(decided),
                     pin.empty() ? "" : "; --unpin takes the pin back");
}

int show(const config::ServeOptions& serve, const Place& place) {
  auto stored = place.store.find(place.key);
  if (!stored) return complain(stored.error().message + "; --redo makes it anew");
  const auto pin = place.store.pin_of(place.key);
  if (!pin) return complain(pin.error().message + "; --pin writes it anew, --unpin removes it");
  print(head_of(serve, place.key) + body_of(*stored, serve.model_path) + use_of(*pin, *stored));
  return 0;
}

}  // namespace

int tune(const config::TuneOptions& options) {
  const auto place = place_of(options.serve);
  if (!place) return complain(place.error().message);
  Result<void> changed;
  if (options.unpin) changed = place->store.unpin(place->key);
  if (options.pins()) changed = place->store.pin(place->key, {options.pin_flash_attention, options.pin_threads});
  if (!changed) return complain(changed.error().message);
  return show(options.serve, *place);
}

}  // namespace sluice::cli
