// Counts allocations of this test program, to see that a steady state makes none.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <random>

#include "engine/sampler.h"

namespace {
thread_local size_t allocations = 0;
}  // namespace

void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(bytes);
}
void* operator new(size_t bytes) {
  if (void* memory = operator new(bytes, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace sluice::engine {
namespace {

TEST(SamplerMemory, ASteadyStateAllocatesNothing) {
  constexpr uint32_t kVocabulary = 5000;
  std::mt19937 random(1);
  std::normal_distribution<float> normal(0, 3);
  std::vector<float> row(kVocabulary);
  for (float& logit : row) logit = normal(random);
  SamplingParams params;
  params.presence_penalty = 0.5f;
  params.repeat_penalty = 1.1f;
  params.logit_bias = {{3, 1.f}};
  const std::vector<Token> known = {1, 2, 3, 4999};
  Sampler sampler(kVocabulary);
  for (const uint32_t top_k : {0u, 1u, 40u}) {
    params.top_k = top_k;
    sampler.sample(row, params, known, 2, {}, {1, 0, 0});
    const size_t before = allocations;
    for (uint32_t position = 1; position < 100; ++position) sampler.sample(row, params, known, 2, {}, {1, 0, position});
    EXPECT_EQ(allocations, before) << "top_k " << top_k;
  }
}

}  // namespace
}  // namespace sluice::engine
