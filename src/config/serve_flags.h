// The flags that say what is served, shared by the commands that load a model. Refuses to know what else each command
// is told. Thread: any.
#pragma once

#include <filesystem>

#include "config/flags.h"
#include "config/options.h"

namespace sluice::config {

void declare_model(Flags& flags, ServeOptions& options);   // MODEL
void declare_window(Flags& flags, ServeOptions& options);  // --lanes, --context
void declare_device(Flags& flags, ServeOptions& options);  // --gpu-layers, --device, --cache-type-k, --cache-type-v
void declare_runtime(Flags& flags, ServeOptions& options);
void declare_state(Flags& flags, ServeOptions& options);  // --state-dir

// What was not given: the default model, its name, the default state folder. Error: no such model.
Result<void> resolve(ServeOptions& options, const std::filesystem::path& executable_folder);

}  // namespace sluice::config
