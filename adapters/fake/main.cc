// sluice-worker-fake: both roles of a worker without a model, for tests of everything around it.
#include <poll.h>

#include "adapters/fake/fake_model.h"

namespace {

// A model computes meanwhile; nothing can happen in this thread but the end of that time.
void compute_for(sluice::Duration time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const timespec length{seconds.count(), (time - seconds).count()};
  ::ppoll(nullptr, 0, &length, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  return sluice::worker::run_adapter(argc, argv, sluice::fake::fake_adapter(compute_for));
}
