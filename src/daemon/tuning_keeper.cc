#include "daemon/tuning_keeper.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/build.h"

namespace sluice::daemon {
namespace {

std::optional<tuning::Store> store_in(const std::string& state_folder) {
  if (state_folder.empty()) return std::nullopt;
  return tuning::Store(std::filesystem::path(state_folder) / "tuning");
}

}  // namespace

TuningKeeper::TuningKeeper(const config::ServeOptions& options, telemetry::Log& log)
    : mode_(options.tune), runtime_(options.runtime), log_(log), store_(store_in(options.state_folder)) {}

LoadOptions TuningKeeper::untuned(const LoadOptions& load, const std::string& why) {
  log_.warn(fmt::format("not tuned, the runtime's defaults are used: {}", why));
  return load;
}

LoadOptions TuningKeeper::decide(LoadOptions load) {
  if (mode_ == config::TuneMode::off) return load;
  if (!store_) return untuned(load, "neither XDG_STATE_HOME nor HOME names a folder to keep it in; --state-dir does");
  auto key = tuning::key_of(load, runtime_, build_id());
  if (!key) return untuned(load, key.error().message);
  key_ = *std::move(key);
  const bool again = mode_ == config::TuneMode::again;
  tuning::Decided decided =
      tuning::decide(load, again ? tuning::Pin{} : pin_of(key_), again ? std::nullopt : stored_of(key_));
  if (decided.load.tune) {
    if (const auto prepared = store_->prepare(); !prepared) {
      decided.load.tune = false;  // what is pinned stands
      return untuned(decided.load, prepared.error().message);
    }
    log_.info("measuring once which flash attention and how many threads are fast for this model, build and machine");
  }
  decided_ = std::move(decided);
  return decided_->load;
}

tuning::Pin TuningKeeper::pin_of(const tuning::Key& key) {
  auto pin = store_->pin_of(key);
  if (pin) return *pin;
  log_.warn(fmt::format("{}; `sluice tune --pin` writes it anew", pin.error().message));
  return {};
}

std::optional<tuning::Stored> TuningKeeper::stored_of(const tuning::Key& key) {
  auto stored = store_->find(key);
  if (stored) return *std::move(stored);
  log_.warn(fmt::format("{}; it is made anew", stored.error().message));
  return std::nullopt;
}

void TuningKeeper::on_ready(const supervisor::WorkerReport& report) {
  if (!decided_) return;
  if (decided_->load.tune) {
    if (!report.tuning) {
      log_.warn("nothing was measured, the runtime's defaults are used");
      return decided_.reset();
    }
    keep(*report.tuning, report.runtime_version);
  }
  log_.info(tuning::words_of(*decided_));
}

void TuningKeeper::keep(const Tuning& tuning, const std::string& runtime_version) {
  tuning::fill_in(*decided_, tuning.choice, fmt::format("measured in {:.1f} s", to_seconds(tuning.took)));
  if (!tuning.remark.empty()) log_.warn(fmt::format("not everything was measured: {}", tuning.remark));
  const auto kept = store_->keep({key_, runtime_version, unix_seconds(), tuning});
  if (!kept)
    log_.warn(fmt::format("the tuning is not kept, and the next start may choose otherwise: {}", kept.error().message));
}

}  // namespace sluice::daemon
