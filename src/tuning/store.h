// The folder of tunings and pins: a file each, named by what it is of. A file is written beside its place and moved
// there, so that it is whole or not there. Refuses to know which tuning is wanted. Thread: any; two daemons may share
// it.
#pragma once

#include <filesystem>
#include <optional>

#include "tuning/stored.h"

namespace sluice::tuning {

class Store final {
 public:
  explicit Store(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Makes the folder. Error: io, where nothing could be kept in it.
  Result<void> prepare() const;

  // Absent: nothing is kept. Errors: invalid (a file that is not used; what is wrong with it), io.
  Result<std::optional<Stored>> find(const Key& key) const;
  Result<Pin> pin_of(const Key& key) const;  // empty where nothing is pinned

  Result<void> keep(const Stored& stored) const;  // of more than limits::tuning_files_max, the oldest goes
  Result<void> pin(const Key& key, const Pin& pin) const;
  Result<void> unpin(const Key& key) const;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace sluice::tuning
