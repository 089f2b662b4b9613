// Finds the model file that a command means. Refuses to know what is in it. Thread: any.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace sluice::config {

inline constexpr const char* kDefaultModel = "SmolLM2-135M-Instruct.Q4_1.gguf";

// Where the default model is looked for, in order. `executable_folder` is a checkout's build/bin.
std::vector<std::filesystem::path> model_folders(const std::filesystem::path& executable_folder);

// `asked` where it is a readable file; where nothing is asked, the default model in the first folder that has it.
Result<std::string> find_model(const std::string& asked, const std::vector<std::filesystem::path>& folders);

}  // namespace sluice::config
