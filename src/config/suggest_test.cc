#include "config/suggest.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::config {
namespace {

TEST(EditDistance, CountsSingleEdits) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("port", "port"), 0u);
  EXPECT_EQ(edit_distance("port", "ports"), 1u);
  EXPECT_EQ(edit_distance("port", "prt"), 1u);
  EXPECT_EQ(edit_distance("port", "part"), 1u);
  EXPECT_EQ(edit_distance("port", "prot"), 1u) << "a swap of neighbours is one edit";
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Nearest, FindsTheWordThatWasMeant) {
  const std::vector<std::string> known = {"--lanes", "--port", "--api-key", "--api-key-file"};
  EXPECT_EQ(nearest("--lane", known), "--lanes");
  EXPECT_EQ(nearest("--prot", known), "--port");
  EXPECT_EQ(nearest("--api-keyfile", known), "--api-key-file");
}

TEST(Nearest, SuggestsNothingFarAway) {
  const std::vector<std::string> known = {"--lanes", "--port"};
  EXPECT_EQ(nearest("--temperature", known), std::nullopt);
  EXPECT_EQ(nearest(std::string(100'000, 'x'), known), std::nullopt);
  EXPECT_EQ(nearest("--port", {}), std::nullopt);
}

}  // namespace
}  // namespace sluice::config
