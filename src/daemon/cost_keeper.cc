#include "daemon/cost_keeper.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "base/build.h"
#include "runtime/settle.h"
#include "tuning/decide.h"

namespace sluice::daemon {
namespace {

std::optional<tuning::CostStore> cost_store_in(const std::string& state_folder) {
  if (state_folder.empty()) return std::nullopt;
  return tuning::CostStore(std::filesystem::path(state_folder) / "costs");
}

}  // namespace

CostKeeper::CostKeeper(boost::asio::io_context& core, const config::ServeOptions& options, telemetry::Log& log,
                       Duration interval)
    : runtime_(options.runtime),
      log_(log),
      store_(cost_store_in(options.state_folder)),
      interval_(interval),
      alarm_(core) {}

LoadOptions CostKeeper::recall(LoadOptions load) {
  load_ = load;
  if (!store_) return load;
  auto key = tuning::key_of(load, runtime_, build_id());
  if (!key) {
    store_.reset();
    log_.warn(fmt::format("what is learned of this model's costs is not kept: {}", key.error().message));
    return load;
  }
  key_ = *std::move(key);
  if (!load.tune) find(load);
  return load;
}

void CostKeeper::find(LoadOptions& load) {
  const auto stored = store_->find(tuning::cost_key_of(key_, load));
  if (!stored) return log_.warn(fmt::format("{}; costs are learned anew", stored.error().message));
  if (!*stored) return;
  load.costs = (*stored)->costs;
  log_.info(fmt::format("first predictions from the costs learned until {}", tuning::day_of((*stored)->made)));
}

void CostKeeper::on_ready(const supervisor::WorkerReport& report) {
  if (report.tuning) settle(load_, report.tuning->choice);
}

void CostKeeper::on_costs(const Costs& costs) {
  unwritten_ = costs;
  if (!pausing_) write_at_pace();
}

void CostKeeper::write_at_pace() {
  pausing_ = unwritten_.has_value();
  if (!pausing_) return;
  write();
  alarm_.after(interval_, [this] { write_at_pace(); });
}

void CostKeeper::write_rest() {
  alarm_.cancel();
  if (unwritten_) write();
}

void CostKeeper::write() {
  const Costs costs = *std::exchange(unwritten_, std::nullopt);
  if (!store_) return;
  const auto kept = store_->keep({tuning::cost_key_of(key_, load_), unix_seconds(), costs});
  if (kept || std::exchange(failed_, true)) return;
  log_.warn(fmt::format("what was learned of costs is not kept: {}", kept.error().message));
}

}  // namespace sluice::daemon
