#include "worker/loading.h"

#include "worker/guarded.h"

namespace sluice::worker {
namespace {

// A library may report every tensor; the daemon is told every hundredth part.
class Progress final {
 public:
  explicit Progress(Link& link) : link_(link) {}

  void report(float progress) {
    if (!(progress >= told_ + 0.01f)) return;  // also not a number
    told_ = progress;
    proto::FromWorker message;
    message.mutable_loading()->set_progress(progress);
    link_.send(message);
  }

 private:
  Link& link_;
  float told_ = -1;
};

}  // namespace

Result<LoadedModel> load_model(const Adapter& adapter, const LoadOptions& options, Link& link) {
  Progress progress(link);
  auto loaded = guarded([&] { return adapter.load(options, [&](float part) { progress.report(part); }); });
  if (loaded && (!loaded->runtime || !loaded->token_bytes)) {
    return fail(ErrorCode::internal, "the adapter loaded a model without a runtime or without token bytes");
  }
  return loaded;
}

}  // namespace sluice::worker
