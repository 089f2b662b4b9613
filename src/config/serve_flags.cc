#include "config/serve_flags.h"

#include <fmt/format.h>

#include "config/check.h"
#include "config/model_file.h"
#include "config/state_folder.h"
#include "config/take.h"

namespace sluice::config {

void declare_model(Flags& flags, ServeOptions& o) {
  flags.positional("MODEL", fmt::format("a .gguf file (default: {})", kDefaultModel), o.model_path);
}

void declare_window(Flags& flags, ServeOptions& o) {
  flags.option("--lanes", "N", fmt::format("answers computed at once, 1 to {} (default 8)", limits::lanes_max),
               number_into<uint32_t>(o.load.lanes, 1, limits::lanes_max, "a number of lanes"));
  flags.option("--context", "N",
               "tokens of one answer with its prompt (default: the trained window, or what memory allows)",
               number_into<uint32_t>(o.context, limits::window_tokens_min, limits::window_tokens_max, "a context"));
}

void declare_device(Flags& flags, ServeOptions& o) {
  flags.option("--gpu-layers", "N", "layers on the device; -1: all that fit (default -1)",
               number_into<int32_t>(o.load.gpu_layers, -1, limits::gpu_layers_max, "a number of layers"));
  flags.text("--device", "NAME", "device to compute on (default: the runtime's choice)", o.load.device);
  flags.option("--cache-type-k", "TYPE", fmt::format("type of the K cache: {} (default f16)", kCacheTypes),
               converted_into(o.load.cache_type_k, cache_type));
  flags.option("--cache-type-v", "TYPE", "type of the V cache, one of the same (default f16)",
               converted_into(o.load.cache_type_v, cache_type));
}

void declare_runtime(Flags& flags, ServeOptions& o) {
  flags.option("--runtime", "NAME", "runs sluice-worker-NAME, found beside sluice (default llamacpp)",
               converted_into(o.runtime, runtime_name));
}

void declare_state(Flags& flags, ServeOptions& o) {
  flags.option("--state-dir", "DIR",
               "folder of what is kept from start to start (default $XDG_STATE_HOME/sluice or ~/.local/state/sluice)",
               [&o](const std::string& word) -> Result<void> {
                 if (word.empty()) return fail(ErrorCode::invalid, "a folder's name must not be empty");
                 o.state_folder = word;
                 return {};
               });
}

Result<void> resolve(ServeOptions& o, const std::filesystem::path& executable_folder) {
  Result<std::string> model = find_model(o.model_path, model_folders(executable_folder));
  if (!model) return std::unexpected(std::move(model.error()));
  o.model_path = *model;
  o.load.model_path = *model;
  if (o.name.empty()) o.name = std::filesystem::path(*model).stem().string();
  if (o.state_folder.empty()) o.state_folder = default_state_folder();
  return {};
}

}  // namespace sluice::config
