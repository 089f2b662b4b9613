#include "worker/inbox.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/limits.h"

namespace sluice::worker {
namespace {

TEST(Inbox, LettersComeOutInTheirOrder) {
  Inbox inbox;
  ASSERT_TRUE(inbox.put(CancelLetter{GenerationId{1}}));
  ASSERT_TRUE(inbox.put(DrainLetter{}));
  const Delivery delivery = inbox.wait();
  ASSERT_EQ(delivery.letters.size(), 2u);
  EXPECT_EQ(std::get<CancelLetter>(delivery.letters[0]).generation, GenerationId{1});
  EXPECT_TRUE(std::holds_alternative<DrainLetter>(delivery.letters[1]));
  EXPECT_TRUE(inbox.take().letters.empty());
}

TEST(Inbox, AcksInARowTakeOnePlaceAndTheHighestCounts) {
  Inbox inbox;
  for (const uint64_t step : {1, 3, 2}) ASSERT_TRUE(inbox.put(AckLetter{step}));
  ASSERT_TRUE(inbox.put(DrainLetter{}));
  ASSERT_TRUE(inbox.put(AckLetter{4}));
  const Delivery delivery = inbox.take();
  ASSERT_EQ(delivery.letters.size(), 3u);
  EXPECT_EQ(std::get<AckLetter>(delivery.letters[0]).step, 3u);
  EXPECT_EQ(std::get<AckLetter>(delivery.letters[2]).step, 4u);
}

TEST(Inbox, ACancelTakesBackASubmissionThatNobodyHasSeen) {
  Inbox inbox;
  ASSERT_TRUE(inbox.put(proto::Submission{GenerationId{1}, {}}));
  for (uint64_t id = 2; id < 2 + 2 * limits::inbox_letters_max; ++id) {
    ASSERT_TRUE(inbox.put(proto::Submission{GenerationId{id}, {}}));
    ASSERT_TRUE(inbox.put(CancelLetter{GenerationId{id}}));
  }
  const Delivery delivery = inbox.take();
  ASSERT_EQ(delivery.letters.size(), 1u);
  EXPECT_EQ(std::get<proto::Submission>(delivery.letters[0]).id, GenerationId{1});
}

TEST(Inbox, IsBounded) {
  Inbox inbox;
  for (size_t i = 0; i < limits::inbox_letters_max; ++i) ASSERT_TRUE(inbox.put(DrainLetter{}));
  const auto put = inbox.put(DrainLetter{});
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, ErrorCode::protocol);
}

TEST(Inbox, TheEndOvertakesLettersAndTheFirstEndStays) {
  Inbox inbox;
  ASSERT_TRUE(inbox.put(DrainLetter{}));
  inbox.end({Error{ErrorCode::protocol, "first", {}}});
  inbox.end({});
  EXPECT_TRUE(inbox.ended());
  const Delivery delivery = inbox.wait();
  EXPECT_TRUE(delivery.letters.empty());
  EXPECT_EQ(delivery.ending->error->message, "first");
}

TEST(Inbox, ASleeperWakesForALetterAndForTheEnd) {
  Inbox inbox;
  std::thread link([&] { ASSERT_TRUE(inbox.put(DrainLetter{})); });
  EXPECT_EQ(inbox.wait().letters.size(), 1u);
  link.join();
  link = std::thread([&] { inbox.end({}); });
  EXPECT_TRUE(inbox.wait().ending);
  link.join();
}

}  // namespace
}  // namespace sluice::worker
