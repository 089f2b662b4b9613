#include "telemetry/access_log.h"

#include <gtest/gtest.h>

namespace sluice::telemetry {
namespace {

using namespace std::chrono_literals;

TEST(AccessLog, AnEntryIsOneLineOfAllItKnows) {
  AccessEntry entry;
  entry.request_id = "r1";
  entry.method = "POST";
  entry.route = "/v1/chat/completions";
  entry.status = 200;
  entry.model = "smol";
  entry.cls = "agent";
  entry.key_label = "key1";
  entry.prompt_tokens = 10;
  entry.cached_tokens = 4;
  entry.completion_tokens = 7;
  entry.queued = 250us;
  entry.first_token = 12ms;
  entry.total = 1s;
  entry.prefill_rate = 512.25;
  entry.decode_rate = 70.0;
  entry.finish = "stop";
  EXPECT_EQ(format(entry),
            "id=r1 method=POST route=/v1/chat/completions status=200 model=smol class=agent key=key1 prompt_tokens=10 "
            "cached_tokens=4 completion_tokens=7 queue_ms=0.2 first_token_ms=12.0 total_ms=1000.0 "
            "prefill_per_second=512.2 decode_per_second=70.0 finish=stop");
}

TEST(AccessLog, WhatIsAbsentIsLeftOut) {
  AccessEntry entry;
  entry.request_id = "r1";
  entry.status = 499;
  entry.error_code = "cancelled";
  EXPECT_EQ(format(entry), "id=r1 status=499 error=cancelled");
}

TEST(AccessLog, AClientsValuesCannotBreakTheLine) {
  AccessEntry entry;
  entry.model = "a b=\"c\\d\"\n\x7f";
  EXPECT_EQ(format(entry), R"(status=0 model="a b=\"c\\d\"\x0a\x7f")");
}

}  // namespace
}  // namespace sluice::telemetry
