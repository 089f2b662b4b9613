#include "tuning/fingerprint.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace sluice::tuning {
namespace {

namespace fs = std::filesystem;

class Fingerprint : public testing::Test {
 protected:
  Fingerprint() : folder_(fs::path(testing::TempDir()) / ("sluice-fingerprint-test-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~Fingerprint() override { fs::remove_all(folder_); }
  std::string write(const char* name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return (folder_ / name).string();
  }
  fs::path folder_;
};

TEST_F(Fingerprint, ACopyIsTheSameModel) {
  const std::string first = write("a", "weights"), copy = write("b", "weights");
  fs::last_write_time(copy, fs::last_write_time(first) - std::chrono::hours(1));
  EXPECT_EQ(fingerprint_of(first).value(), fingerprint_of(copy).value());
}

TEST_F(Fingerprint, SizeHeadAndTailTellModelsApart) {
  std::string bytes(20u << 20, 'w');
  std::set<std::string> found = {fingerprint_of(write("a", bytes)).value()};
  for (const size_t at : {size_t{0}, size_t{3} << 20, bytes.size() - 1}) {
    std::string other = bytes;
    other[at] = 'x';
    found.insert(fingerprint_of(write("b", other)).value());
  }
  found.insert(fingerprint_of(write("c", bytes + "w")).value());
  EXPECT_EQ(found.size(), 5u);
}

TEST_F(Fingerprint, AnEmptyFileHasOneToo) { EXPECT_EQ(fingerprint_of(write("e", "")).value().substr(0, 2), "0-"); }

TEST_F(Fingerprint, AFileThatIsNotThereIsAnError) {
  EXPECT_EQ(fingerprint_of((folder_ / "none").string()).error().code, ErrorCode::io);
}

}  // namespace
}  // namespace sluice::tuning
