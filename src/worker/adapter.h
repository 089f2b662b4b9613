// What a runtime library must offer to become a sluice worker: one executable, two roles. An adapter's main() fills an
// Adapter and calls run_adapter(). Refuses to know which library it is.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "codec/codec.h"
#include "runtime/load.h"
#include "runtime/runtime.h"
#include "runtime/tuning.h"

namespace sluice::worker {

struct LoadedModel {
  std::unique_ptr<Runtime> runtime;
  std::unique_ptr<TokenBytes> token_bytes;
  std::string system_info;       // one line: instruction sets, threads, devices
  std::optional<Tuning> tuning;  // made now, as LoadOptions::tune asked
};

struct Adapter {
  std::string name;             // "llamacpp"
  std::string runtime_version;  // the library's own
  std::function<Result<std::unique_ptr<Codec>>(const std::string& model_path)> open_codec;
  // `progress` takes 0..1 and may be called from this call only.
  std::function<Result<LoadedModel>(const LoadOptions&, const std::function<void(float)>& progress)> load;
};

// Runs `--role codec` or `--role worker` on the socket at proto::kChildSocket until the daemon closes it; `--version`
// prints the versions. Returns the process's exit code: 0 after Drain or a closed socket, 2 for wrong arguments, 3
// where the model cannot be loaded, 4 for a protocol error, 5 where the runtime is lost (fatal).
int run_adapter(int argc, char** argv, const Adapter& adapter);

}  // namespace sluice::worker
