// What a loaded model can do, before the self-check has proved its exactness. Refuses to know the runtime's state.
// Thread: step.
#pragma once

#include "adapters/llamacpp/load.h"
#include "runtime/runtime.h"

namespace sluice::llamacpp {

Capabilities capabilities_of(const Loaded& loaded);

}  // namespace sluice::llamacpp
