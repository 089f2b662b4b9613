#include "base/build.h"

#include "base/version.h"

namespace sluice {

std::string build_id() { return std::string(kCommit) + "/" + kBuildType; }

}  // namespace sluice
