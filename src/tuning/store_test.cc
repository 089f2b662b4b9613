#include "tuning/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "base/limits.h"
#include "tuning/test_values.h"

namespace sluice::tuning {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class TuningStore : public testing::Test {
 protected:
  TuningStore() { fs::remove_all(folder_.parent_path()); }
  ~TuningStore() override { fs::remove_all(folder_.parent_path()); }
  size_t files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("sluice-store-test-" + std::to_string(::getpid())) / "tuning";
  const Store store_{folder_};
};

TEST_F(TuningStore, WhatIsKeptIsFound) {
  EXPECT_EQ(store_.find(sample_key()).value(), std::nullopt);
  ASSERT_TRUE(store_.keep(sample_stored()));
  EXPECT_EQ(store_.find(sample_key()).value(), sample_stored());
  EXPECT_EQ(files(), 1u) << "nothing else is left in the folder";
}

TEST_F(TuningStore, EveryPartOfTheKeyTellsTuningsApart) {
  ASSERT_TRUE(store_.keep(sample_stored()));
  const auto found_with = [this](auto change) {
    Key key = sample_key();
    change(key);
    return store_.find(key).value().has_value();
  };
  EXPECT_FALSE(found_with([](Key& key) { key.model = "1-0"; }));
  EXPECT_FALSE(found_with([](Key& key) { key.build = "abc124/Release"; }));
  EXPECT_FALSE(found_with([](Key& key) { key.runtime = "fake"; }));
  EXPECT_FALSE(found_with([](Key& key) { key.machine = "another"; }));
  EXPECT_FALSE(found_with([](Key& key) { key.device = "CUDA0"; }));
  EXPECT_FALSE(found_with([](Key& key) { key.gpu_layers = 0; }));
  EXPECT_FALSE(found_with([](Key& key) { key.cache_type_k = "q8_0"; }));
  EXPECT_FALSE(found_with([](Key& key) { key.cache_type_v = "q8_0"; }));
}

TEST_F(TuningStore, ABrokenFileIsAnErrorThatNamesIt) {
  ASSERT_TRUE(store_.keep(sample_stored()));
  const fs::path file = folder_ / tuning_file_name(sample_key());
  fs::resize_file(file, fs::file_size(file) / 2);
  const auto found = store_.find(sample_key());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::invalid);
  EXPECT_THAT(found.error().message, HasSubstr(file.string()));
  ASSERT_TRUE(store_.keep(sample_stored()));
  EXPECT_TRUE(store_.find(sample_key()));
}

TEST_F(TuningStore, AFileOfSomethingElseIsNotUsed) {
  ASSERT_TRUE(store_.keep(sample_stored()));
  Key other = sample_key();
  other.build = "other";
  fs::rename(folder_ / tuning_file_name(sample_key()), folder_ / tuning_file_name(other));
  EXPECT_THAT(store_.find(other).error().message, HasSubstr("something else"));
}

TEST_F(TuningStore, APinHoldsForEveryBuildUntilItIsTakenBack) {
  EXPECT_TRUE(store_.pin_of(sample_key())->empty());
  ASSERT_TRUE(store_.pin(sample_key(), {true, 2}));
  Key next_build = sample_key();
  next_build.build = "next";
  EXPECT_EQ(store_.pin_of(next_build).value(), (Pin{true, 2}));
  ASSERT_TRUE(store_.unpin(next_build));
  EXPECT_TRUE(store_.pin_of(sample_key())->empty());
  EXPECT_TRUE(store_.unpin(sample_key())) << "nothing to take back is no error";
}

TEST_F(TuningStore, TheOldestGoesWhereThereAreTooMany) {
  Stored stored = sample_stored();
  stored.key.build = "oldest";
  ASSERT_TRUE(store_.keep(stored));
  const Key oldest = stored.key;
  fs::last_write_time(folder_ / tuning_file_name(oldest), fs::file_time_type::clock::now() - std::chrono::hours(1));
  for (size_t i = 0; i < limits::tuning_files_max; ++i) {
    stored.key.build = std::to_string(i);
    ASSERT_TRUE(store_.keep(stored));
  }
  EXPECT_EQ(files(), limits::tuning_files_max);
  EXPECT_EQ(store_.find(oldest).value(), std::nullopt);
  EXPECT_TRUE(store_.find(stored.key)->has_value());
}

TEST_F(TuningStore, AFolderThatCannotBeMadeIsAnErrorThatNamesIt) {
  fs::create_directories(folder_.parent_path());
  std::ofstream(folder_) << "a file";
  const auto prepared = store_.prepare();
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().code, ErrorCode::io);
  EXPECT_THAT(prepared.error().message, HasSubstr(folder_.string()));
  EXPECT_FALSE(store_.keep(sample_stored()));
}

}  // namespace
}  // namespace sluice::tuning
