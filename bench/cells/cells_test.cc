#include <gmock/gmock.h>

#include "bench/cells/cell.h"
#include "bench/cells/neighbour.h"
#include "bench/cells/page_cache.h"
#include "bench/figures/kinds.h"

namespace sluice::bench {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

config::BenchOptions all_cells() {
  config::BenchOptions options;
  options.cells = cell_names();
  return options;
}

TEST(Cells, EveryOneHasVariantsWithAPrimaryFigureThatIsKnown) {
  const auto cells = make_cells(all_cells());
  ASSERT_TRUE(cells);
  ASSERT_EQ(cells->size(), 14u);
  for (const auto& cell : *cells) {
    EXPECT_FALSE(cell->variants().empty()) << cell->name();
    for (const Variant& variant : cell->variants()) {
      EXPECT_TRUE(figure_kind(variant.primary)) << cell->name() << ": " << variant.primary;
      EXPECT_EQ(variant.x.has_value(), !variant.x_name.empty()) << cell->name();
    }
  }
}

TEST(Cells, AnUnknownOneIsRefusedWithTheNearest) {
  config::BenchOptions options;
  options.cells = {"decoed"};
  const auto cells = make_cells(options);
  ASSERT_FALSE(cells);
  EXPECT_THAT(cells.error().message, HasSubstr("decode?"));
}

TEST(Cells, PromptsThatDoNotFitTheContextAreLeftOut) {
  config::BenchOptions options;
  options.cells = {"prefill"};
  EXPECT_EQ(make_cells(options)->front()->variants().size(), 1u);
  options.context = 32768;
  EXPECT_EQ(make_cells(options)->front()->variants().size(), 3u);
  options.context = 512;
  EXPECT_FALSE(make_cells(options)) << "nothing is left to measure";
}

TEST(Cells, LevelsAndSamplingsMultiply) {
  config::BenchOptions options;
  options.cells = {"decode"};
  options.levels = {2, 3};
  const auto variants = make_cells(options)->front()->variants();
  ASSERT_EQ(variants.size(), 4u);
  EXPECT_EQ(variants[0].label, "2 streams, greedy");
  EXPECT_EQ(variants[3].label, "3 streams, sampled");
  EXPECT_EQ(variants[3].x, 3);
}

TEST(Neighbour, ComputesUntilItIsGone) {
  const auto pace = neighbours_pace_alone(10ms);
  ASSERT_TRUE(pace);
  const auto neighbour = Neighbour::start();
  ASSERT_TRUE(neighbour);
  const TimePoint until = Clock::now() + 60s;
  while (neighbour->rounds() == 0) ASSERT_LT(Clock::now(), until);
}

TEST(PageCache, KnowsWhatIsInItAndDropsIt) {
  const std::string path = testing::TempDir() + "/page_cache_test";
  FILE* file = fopen(path.c_str(), "w");
  const std::string bytes(1u << 20, 'x');
  ASSERT_EQ(fwrite(bytes.data(), 1, bytes.size(), file), bytes.size());
  fclose(file);
  read_into_cache(path);
  EXPECT_EQ(cached_share(path), 1);
  drop_from_cache(path);
  EXPECT_LE(cached_share(path), 1);  // a file system in memory has nowhere else to keep it
  EXPECT_EQ(cached_share("/nonexistent"), 0);
  remove(path.c_str());
}

}  // namespace
}  // namespace sluice::bench
