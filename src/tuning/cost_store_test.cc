#include "tuning/cost_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/limits.h"
#include "tuning/test_values.h"

namespace sluice::tuning {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class CostStoreTest : public testing::Test {
 protected:
  CostStoreTest() { fs::remove_all(folder_); }
  ~CostStoreTest() override { fs::remove_all(folder_); }
  size_t files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  const fs::path folder_ = fs::path(testing::TempDir()) / ("sluice-cost-store-test-" + std::to_string(::getpid()));
  const CostStore store_{folder_};
};

TEST_F(CostStoreTest, TheLastThatWereKeptAreFound) {
  EXPECT_EQ(store_.find(sample_costs().key).value(), std::nullopt);
  ASSERT_TRUE(store_.keep(sample_costs()));
  StoredCosts later = sample_costs();
  later.costs.decode.row_us = 900;
  ASSERT_TRUE(store_.keep(later));
  EXPECT_EQ(store_.find(sample_costs().key).value(), later);
  EXPECT_EQ(files(), 1u) << "nothing else is left in the folder";
}

TEST_F(CostStoreTest, WhateverChangesSpeedTellsCostsApart) {
  ASSERT_TRUE(store_.keep(sample_costs()));
  const auto found_with = [this](auto change) {
    CostKey key = sample_costs().key;
    change(key);
    return store_.find(key).value().has_value();
  };
  EXPECT_FALSE(found_with([](CostKey& key) { key.of.model = "1-0"; }));
  EXPECT_FALSE(found_with([](CostKey& key) { key.of.build = "abc124/Release"; }));
  EXPECT_FALSE(found_with([](CostKey& key) { key.of.machine = "another"; }));
  EXPECT_FALSE(found_with([](CostKey& key) { key.of.cache_type_v = "q8_0"; }));
  EXPECT_FALSE(found_with([](CostKey& key) { key.flash_attention = "on"; }));
  EXPECT_FALSE(found_with([](CostKey& key) { key.threads = 1; }));
  EXPECT_FALSE(found_with([](CostKey& key) { key.batch = 1024; }));
  EXPECT_FALSE(found_with([](CostKey& key) { key.ubatch = 256; }));
}

TEST_F(CostStoreTest, ABrokenFileIsAnErrorThatNamesItUntilTheNextAreKept) {
  ASSERT_TRUE(store_.keep(sample_costs()));
  const fs::path file = folder_ / cost_file_name(sample_costs().key);
  fs::resize_file(file, fs::file_size(file) / 2);
  const auto found = store_.find(sample_costs().key);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::invalid);
  EXPECT_THAT(found.error().message, HasSubstr(file.string()));
  ASSERT_TRUE(store_.keep(sample_costs()));
  EXPECT_TRUE(store_.find(sample_costs().key));
}

TEST_F(CostStoreTest, AFileOfAnotherBuildIsNotUsed) {
  ASSERT_TRUE(store_.keep(sample_costs()));
  CostKey other = sample_costs().key;
  other.of.build = "other";
  fs::rename(folder_ / cost_file_name(sample_costs().key), folder_ / cost_file_name(other));
  EXPECT_THAT(store_.find(other).error().message, HasSubstr("something else"));
}

TEST_F(CostStoreTest, TheOldestGoesWhereThereAreTooMany) {
  StoredCosts stored = sample_costs();
  ASSERT_TRUE(store_.keep(stored));
  const CostKey oldest = stored.key;
  fs::last_write_time(folder_ / cost_file_name(oldest), fs::file_time_type::clock::now() - std::chrono::hours(1));
  for (uint32_t i = 0; i < limits::cost_files_max; ++i) {
    stored.key.threads = 10 + i;
    ASSERT_TRUE(store_.keep(stored));
  }
  EXPECT_EQ(files(), limits::cost_files_max);
  EXPECT_EQ(store_.find(oldest).value(), std::nullopt);
}

}  // namespace
}  // namespace sluice::tuning
