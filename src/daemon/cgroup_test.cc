#include "daemon/cgroup.h"

#include <gtest/gtest.h>

#include "config/test_folder.h"

namespace sluice::daemon {
namespace {

class CgroupTest : public testing::Test {
 protected:
  std::optional<uint64_t> left(std::string_view self) const { return cgroup_memory_left(folder.path(), self); }
  config::TestFolder folder;
};

TEST_F(CgroupTest, WithoutAGroupThereIsNoLimit) {
  EXPECT_FALSE(left(""));
  EXPECT_FALSE(left("0::/\n"));
  EXPECT_FALSE(left("nonsense\n::\n"));
}

TEST_F(CgroupTest, OfVersionTwoTheLimitLessWhatIsUsedIsLeft) {
  folder.write("app/memory.max", "1000\n");
  folder.write("app/memory.current", "700\n");
  folder.write("app/memory.stat", "anon 400\ninactive_file 200\nactive_file 100\n");
  EXPECT_EQ(left("0::/app\n"), 600u) << "pages of files can be dropped";
}

TEST_F(CgroupTest, AGroupAroundOursBindsToo) {
  folder.write("a/memory.max", "500\n");
  folder.write("a/memory.current", "450\n");
  folder.write("a/b/memory.max", "max\n");
  folder.write("a/b/memory.current", "10\n");
  EXPECT_EQ(left("0::/a/b\n"), 50u);
}

TEST_F(CgroupTest, InsideAContainerTheMountIsOurGroup) {
  folder.write("memory.max", "800\n");
  folder.write("memory.current", "300\n");
  EXPECT_EQ(left("0::/system.slice/docker-1.scope\n"), 500u);
}

TEST_F(CgroupTest, OfVersionOneItIsTheMemoryController) {
  folder.write("memory/box/memory.limit_in_bytes", "900\n");
  folder.write("memory/box/memory.usage_in_bytes", "500\n");
  folder.write("memory/box/memory.stat", "inactive_file 7\ntotal_inactive_file 60\ntotal_active_file 40\n");
  folder.write("memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(left("5:cpu:/x\n4:memory:/box\n0::/\n"), 500u);
}

TEST_F(CgroupTest, MoreUsedThanAllowedLeavesNothing) {
  folder.write("memory.max", "800\n");
  folder.write("memory.current", "900\n");
  EXPECT_EQ(left("0::/\n"), 0u);
}

}  // namespace
}  // namespace sluice::daemon
