#include "telemetry/log.h"

#include <gtest/gtest.h>

#include <future>
#include <regex>
#include <sstream>

namespace sluice::telemetry {
namespace {

TEST(Log, LinesCarryTimeAndLevelAndComeInOrder) {
  std::ostringstream out;
  {
    Log log({.level = LogLevel::info, .out = &out});
    log.info("one {} %s");
    log.error("two");
    log.debug("not asked for");
  }
  const std::regex wanted(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z info one \{\} %s\n[^\n]*Z error two\n)");
  EXPECT_TRUE(std::regex_match(out.str(), wanted)) << out.str();
}

// A stream whose first write waits for release(), as a pipe does that nobody reads.
class StuckBuffer : public std::stringbuf {
 public:
  void release() { released_.set_value(); }

 protected:
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    may_write_.wait();
    return std::stringbuf::xsputn(bytes, count);
  }

 private:
  std::promise<void> released_;
  std::shared_future<void> may_write_ = released_.get_future().share();
};

TEST(Log, AStuckStderrLosesTheOldestLinesAndBlocksNobody) {
  StuckBuffer stuck;
  std::ostream out(&stuck);
  {
    Log log({.level = LogLevel::info, .queue_lines_max = 4, .out = &out});
    for (int i = 0; i < 20; ++i) log.info("line " + std::to_string(i));
    EXPECT_GE(log.lost_lines(), 15u);  // 4 wait, and one may be with the writer
    stuck.release();
  }
  EXPECT_NE(stuck.str().find("line 19\n"), std::string::npos);
  EXPECT_EQ(stuck.str().find("line 10\n"), std::string::npos);
}

}  // namespace
}  // namespace sluice::telemetry
