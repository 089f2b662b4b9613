// Random submits, cancels, finishes, aborts and faults against the toy runtime: every answer is the one its generation
// gets alone, or the beginning of it, and the bookkeeping holds after every event.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/engine_rig.h"

namespace sluice::engine {
namespace {

class Simulation {
 public:
  explicit Simulation(uint32_t seed) : random_(seed), width_matters_(chance(50)), rig_(config(), width_matters_) {
    rig_.runtime.call_mishap = [this](const PlannedCall& call) { return call_mishap(call); };
    rig_.runtime.move_mishap = [this](const KvMove&) { return move_mishap(); };
    rig_.runtime.copy_time = std::chrono::microseconds(below(20000));
    faults_ = had_faults_ = chance(60);
  }

  void run() {
    for (int i = 0; i < 120 && !::testing::Test::HasFailure(); ++i) {
      event();
      check_standings();
    }
    faults_ = false;
    rig_.run_until_idle();
    for (const auto& [id, spec] : specs_) check_answer(id, spec);
    EXPECT_EQ(rig_.runtime.parked(), 0u) << "in host memory, and nobody's";
    preemptions += rig_.engine.stats().preemptions;
    if (!had_faults_) check_work();
  }

  static inline uint64_t preemptions = 0;  // in all runs

 private:
  uint32_t below(uint32_t n) { return random_() % n; }
  bool chance(uint32_t percent) { return below(100) < percent; }

  EngineConfig config() {
    EngineConfig c = small_config();
    c.lanes = 1 + below(6);
    c.window = 64 + below(64);
    c.vocabulary = 4 + below(40);
    c.call_tokens = (width_matters_ ? 3 : 1) + below(40);  // with fewer, single rows cannot be avoided
    c.waiting_max = below(8);
    c.can_truncate = chance(75);
    c.can_copy = chance(75);
    c.can_export = chance(75);
    if (chance(30)) c.parked_tokens_max = 1 + below(200);
    for (uint32_t& lanes : c.class_lanes) lanes = chance(20) ? 1 + below(c.lanes) : 0;
    for (Duration& pace : c.pace) pace = std::chrono::milliseconds(chance(50) ? below(50) : 0);
    c.adjacent_ids_per_pass = chance(75);
    c.decode_equals_prefill = !width_matters_;
    return c;
  }

  void event() {
    const uint32_t kind = below(100);
    if (kind < 25) {
      submit();
    } else if (kind < 30) {
      end_one([this](uint64_t id) { rig_.cancel(id); });
    } else if (kind < 33) {
      end_one([this](uint64_t id) {
        if (rig_.told(id).started_with) rig_.finish(id, FinishReason::stop);
      });
    } else if (kind < 38) {
      rig_.now += std::chrono::milliseconds(below(4000));
    } else {
      rig_.step();
    }
  }

  // Prompts often share a beginning, or continue an earlier conversation.
  std::vector<Token> prompt() {
    std::vector<Token> out;
    if (!specs_.empty() && chance(70)) {
      const auto& [id, spec] = *std::next(specs_.begin(), below(static_cast<uint32_t>(specs_.size())));
      out = spec.prompt;
      const auto& answer = rig_.told(id).answer;
      if (chance(70)) out.insert(out.end(), answer.begin(), answer.end());
      out.resize(std::min<size_t>(out.size(), 1 + below(rig_.config.window - 2)));
    }
    const uint32_t more = out.empty() || chance(60) ? 1 + below(20) : 0;
    for (uint32_t i = 0; i < more; ++i) out.push_back(static_cast<Token>(below(rig_.config.vocabulary)));
    out.resize(std::min<size_t>(out.size(), rig_.config.window - 1));
    return out;
  }

  void submit() {
    GenerationSpec spec = asking(prompt(), 1 + below(40));
    spec.ignore_eos = chance(50);
    spec.cls = kClasses[below(std::size(kClasses))];
    spec.key = below(3);
    spec.session = below(4);
    if (chance(10)) spec.time_left = std::chrono::milliseconds(below(3000));
    const uint64_t id = ++ids_;
    if (rig_.submit(id, spec)) specs_.emplace(id, spec);
  }

  template <class F>
  void end_one(F end) {
    if (specs_.empty()) return;
    const uint64_t id = std::next(specs_.begin(), below(static_cast<uint32_t>(specs_.size())))->first;
    stopped_.push_back(id);
    end(id);
  }

  std::optional<Mishap> call_mishap(const PlannedCall& call) {
    if (!faults_ || !chance(6)) return std::nullopt;
    const auto rows = static_cast<uint32_t>(call.feeds.front().tokens.size());
    switch (below(4)) {
      case 0: return Mishap{ErrorCode::fault, 0};
      case 1: return Mishap{ErrorCode::capacity, 0};
      case 2: return Mishap{ErrorCode::cancelled, -1, chance(50)};
      default: return Mishap{ErrorCode::cancelled, static_cast<Position>(below(rows + 1)), chance(50)};
    }
  }

  std::optional<Mishap> move_mishap() {
    if (!faults_ || !chance(4)) return std::nullopt;
    return Mishap{chance(50) ? ErrorCode::fault : ErrorCode::unsupported, 0};
  }

  void check_answer(uint64_t id, const GenerationSpec& spec) {
    const Told& told = rig_.told(id);
    const auto alone = ToyRuntime::answer_alone(rig_.config, spec, width_matters_);
    ASSERT_LE(told.answer.size(), alone.size()) << "generation " << id;
    EXPECT_TRUE(std::equal(told.answer.begin(), told.answer.end(), alone.begin())) << "generation " << id;
    const bool overdue = told.finished && told.finished->reason == FinishReason::deadline;
    const bool stopped = overdue || std::ranges::find(stopped_, id) != stopped_.end();
    EXPECT_TRUE(!overdue || spec.time_left) << "generation " << id;
    EXPECT_TRUE(stopped || told.failed || told.answer == alone) << "generation " << id;
    EXPECT_TRUE(stopped || told.finished.has_value() != told.failed.has_value()) << "generation " << id;
    if (told.finished) {
      EXPECT_EQ(told.finished->usage.completion_tokens, told.answer.size());
      EXPECT_EQ(told.finished->usage.prompt_tokens, spec.prompt.size());
    }
  }

  // Whoever watches sees everyone once, and those without a lane wait for something.
  void check_standings() {
    const std::vector<Standing> all = rig_.engine.standings(rig_.now);
    const EngineStats stats = rig_.engine.stats();
    EXPECT_EQ(all.size(), stats.lanes_busy + stats.waiting + stats.preempted);
    for (const Standing& one : all) {
      const bool has_a_lane = one.doing == Doing::prefill || one.doing == Doing::decode;
      EXPECT_EQ(one.waits_for == WaitsFor::nothing, has_a_lane) << "generation " << one.generation.raw;
      EXPECT_LE(one.parked, one.computed);
    }
  }

  // Undisturbed, no token is computed twice.
  void check_work() {
    uint64_t rows = 0;
    for (const auto& [id, spec] : specs_) {
      const Told& told = rig_.told(id);
      if (told.started_with) rows += spec.prompt.size() - *told.started_with + told.answer.size();
    }
    EXPECT_LE(rig_.runtime.rows_fed(), rows);
    const EngineStats stats = rig_.engine.stats();
    EXPECT_EQ(stats.rows_prefill + stats.rows_decode, rig_.runtime.rows_fed());
  }

  std::mt19937 random_;
  bool width_matters_;
  Rig rig_;
  bool faults_ = false;  // while the storm lasts
  bool had_faults_ = false;
  uint64_t ids_ = 0;
  std::map<uint64_t, GenerationSpec> specs_;
  std::vector<uint64_t> stopped_;
};

constexpr uint32_t kSeeds = 3000;
constexpr uint32_t kSeedsATest = 250;

class EngineSimulation : public ::testing::TestWithParam<uint32_t> {};

TEST_P(EngineSimulation, EveryAnswerIsTheOneItsGenerationGetsAlone) {
  for (uint32_t seed = GetParam(); seed < GetParam() + kSeedsATest; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Simulation(seed).run();
    if (HasFailure()) FAIL() << "first failing seed: " << seed;
  }
  EXPECT_GT(Simulation::preemptions, 0u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, EngineSimulation, ::testing::Range(0u, kSeeds, kSeedsATest));

}  // namespace
}  // namespace sluice::engine
