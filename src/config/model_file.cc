#include "config/model_file.h"

#include <unistd.h>

#include <system_error>

namespace sluice::config {
namespace fs = std::filesystem;

std::vector<fs::path> model_folders(const fs::path& executable_folder) {
  return {(executable_folder / ".." / ".." / "models").lexically_normal(), "models"};
}

namespace {

Result<std::string> named_model(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const auto broken = [&path](const std::string& why) {
    return fail(ErrorCode::not_found, "cannot load '" + path + "': " + why, "MODEL");
  };
  if (!fs::exists(status)) return broken("there is no such file");
  if (fs::is_directory(status)) return broken("it is a folder; name the .gguf file in it");
  if (!fs::is_regular_file(status)) return broken("it is not a regular file");
  if (access(path.c_str(), R_OK) != 0) return broken("this user may not read it");
  return path;
}

}  // namespace

Result<std::string> find_model(const std::string& asked, const std::vector<fs::path>& folders) {
  if (!asked.empty()) return named_model(asked);
  std::string places;
  for (const fs::path& folder : folders) {
    const fs::path file = folder / kDefaultModel;
    std::error_code error;
    if (fs::is_regular_file(file, error)) return named_model(file.string());
    places += (places.empty() ? "" : ", ") + folder.string();
  }
  return fail(ErrorCode::not_found,
              std::string("no MODEL was given, and the default model ") + kDefaultModel + " is not in " + places +
                  "; `make serve` or `scripts/fetch-model.sh` fetches it",
              "MODEL");
}

}  // namespace sluice::config
