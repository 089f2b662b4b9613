#include "adapters/llamacpp/self_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

namespace sluice::llamacpp {
namespace {

using Row = std::vector<float>;
using Rows = std::vector<Row>;

class Collect final : public LogitsSink {
 public:
  void on_logits(SequenceId, Position, std::span<const float> row) override {
    rows.emplace_back(row.begin(), row.end());
  }
  void on_likeliest(SequenceId, Position, std::optional<Token> token) override { chosen = token; }
  Rows rows;
  std::optional<Token> chosen;
};

// The first difference makes a capability false and is its reason.
class Verdict {
 public:
  void compare(const Row& got, const Row& wanted, std::string_view what) {
    if (!reason_.empty() || std::memcmp(got.data(), wanted.data(), wanted.size() * sizeof(float)) == 0) return;
    float most = 0;
    for (size_t i = 0; i < wanted.size(); ++i) most = std::max(most, std::abs(got[i] - wanted[i]));
    reason_ = fmt::format("{}: logits differ, by {:.2g} at most", what, most);
  }
  Capability result() const { return reason_.empty() ? Capability::yes() : Capability::no(reason_); }

 private:
  std::string reason_;
};

constexpr SequenceId id(uint32_t raw) { return SequenceId{static_cast<int32_t>(raw)}; }

// A failed step ends the check: later steps do nothing, and finish() gives its error.
class SelfCheck {
 public:
  explicit SelfCheck(Runtime& runtime) : runtime_(runtime), can_(runtime.capabilities()) {}

  Result<Exactness> run() {
    if (can_.call_tokens < kCall || can_.window < kCall) return unchecked();
    check_chunks_and_single_rows();
    if (can_.sequences >= 2) check_beside(2);
    if (can_.sequences > 2) check_beside(std::min(can_.sequences, kLanes));
    check_copy();
    check_import();
    check_chosen();
    drop_all();
    if (error_) return std::unexpected(*error_);
    Exactness exactness{beside_.result(), chunk_.result(), single_.result(), copy_.result(),
                        import_.result(), chosen_,         row_time_};
    if (can_.copy == CopyCost::none) exactness.copied_equals_computed = Capability::no("nothing is copied");
    if (!can_.export_import.holds) exactness.imported_equals_computed = Capability::no("nothing is imported");
    return exactness;
  }

 private:
  // Wide enough for the kernels that only many rows take; pieces of 2 rows and more.
  static constexpr size_t kChunks[] = {2, 3, 33};
  static constexpr size_t kPrompt = 38;
  static constexpr size_t kSingles = 2;
  static constexpr size_t kShort = 3;
  static constexpr uint32_t kLanes = 8;
  static constexpr size_t kCall = 40;
  static_assert(kPrompt + kSingles <= kCall && kLanes * kShort <= kCall);

  Exactness unchecked() const {
    const auto unknown = Capability::no(fmt::format("the self-check needs calls and a window of {} tokens", kCall));
    return {unknown, unknown, unknown, unknown, unknown, can_.device_sampling.holds ? unknown : can_.device_sampling,
            {}};
  }

  std::vector<Token> text(size_t tokens, uint32_t variant) const {
    std::vector<Token> made(tokens);
    for (size_t i = 0; i < tokens; ++i)
      made[i] = static_cast<Token>((size_t{variant} * 7919 + i * 104729 + 17) % can_.vocabulary);
    return made;
  }

  Rows step(std::span<const Feed> feeds) {
    Collect collect;
    if (error_) return {};
    if (auto stepped = runtime_.step(feeds, collect); !stepped) error_ = stepped.error();
    return error_ ? Rows{} : std::move(collect.rows);
  }

  Rows step(SequenceId seq, std::span<const Token> tokens, LogitsWanted logits) {
    const Feed feed{seq, tokens, runtime_.computed(seq), logits};
    return step({&feed, 1});
  }

  void drop_all() {
    for (uint32_t seq = 0; seq < can_.sequences; ++seq) runtime_.drop(id(seq));
  }

  void compare(Verdict& verdict, const Rows& got, size_t got_at, const Rows& wanted, size_t wanted_at,
               std::string_view what) {
    if (!error_) verdict.compare(got.at(got_at), wanted.at(wanted_at), what);
  }

  void check_chunks_and_single_rows() {
    const auto tokens = text(kPrompt + kSingles, 0);
    const auto prompt = std::span(tokens).first(kPrompt), rest = std::span(tokens).last(kSingles);
    const Rows whole = step(id(0), prompt, LogitsWanted::last);
    const Rows pair = step(id(0), rest, LogitsWanted::all);
    runtime_.drop(id(0));
    Rows cut;
    size_t at = 0;
    for (const size_t chunk : kChunks) {
      const TimePoint started = Clock::now();
      cut = step(id(0), prompt.subspan(std::exchange(at, at + chunk), chunk), LogitsWanted::last);
      row_time_ = (Clock::now() - started) / chunk;  // the last and widest chunk's: what it reads was read before
    }
    compare(chunk_, cut, 0, whole, 0, "a prompt in pieces and as a whole");
    for (size_t i = 0; i < kSingles; ++i)
      compare(single_, step(id(0), rest.subspan(i, 1), LogitsWanted::last), 0, pair, i, "one row at a time and two");
    runtime_.drop(id(0));
  }

  // Prompts of all lanes in one call, then a single row of each, against the same alone.
  void check_beside(uint32_t lanes) {
    const auto tokens = text(kShort + 1, 0);
    const auto prompt = std::span(tokens).first(kShort), next = std::span(tokens).last(1);
    drop_all();
    const Rows alone = step(id(0), prompt, LogitsWanted::last);
    const Rows alone_next = step(id(0), next, LogitsWanted::last);
    drop_all();
    std::vector<std::vector<Token>> texts;
    texts.reserve(lanes);
    for (uint32_t lane = 0; lane < lanes; ++lane) texts.push_back(text(kShort + 1, lanes - 1 - lane));
    std::vector<Feed> prompts, nexts;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      const auto wanted = lane + 1 == lanes ? LogitsWanted::last : LogitsWanted::none;
      prompts.push_back({id(lane), std::span(texts[lane]).first(kShort), 0, wanted});
      nexts.push_back({id(lane), std::span(texts[lane]).last(1), static_cast<Position>(kShort), LogitsWanted::last});
    }
    compare(beside_, step(prompts), 0, alone, 0, fmt::format("a prompt alone and beside {} others", lanes - 1));
    compare(beside_, step(nexts), lanes - 1, alone_next, 0, fmt::format("a row alone and beside {} others", lanes - 1));
  }

  void check_copy() {
    if (can_.copy == CopyCost::none) return;
    check_moved(copy_, id(1), "a copied prefix and a computed one",
                [this] { return runtime_.copy(id(0), id(1), static_cast<Position>(kShort)); });
  }

  void check_import() {
    if (!can_.export_import.holds) return;
    check_moved(import_, id(0), "an imported prefix and a computed one", [this]() -> Result<void> {
      auto snapshot = runtime_.export_kv(id(0), static_cast<Position>(kShort));
      if (!snapshot) return std::unexpected(snapshot.error());
      runtime_.drop(id(0));
      return runtime_.import_kv(id(0), *snapshot);
    });
  }

  // One after the other in the same sequence: the library must change over.
  void check_chosen() {
    chosen_ = can_.device_sampling;
    if (!chosen_.holds) return;
    const auto prompt = text(kShort, 0);
    Collect chosen;
    drop_all();
    const Feed feed{id(0), prompt, 0, LogitsWanted::likeliest};
    if (auto stepped = runtime_.step({&feed, 1}, chosen); !stepped) {
      chosen_ = Capability::no(stepped.error().message);
      return;
    }
    runtime_.drop(id(0));
    const Rows rows = step(id(0), prompt, LogitsWanted::last);
    if (error_) return;
    const Row& row = rows.front();
    const bool possible = chosen.chosen && static_cast<size_t>(*chosen.chosen) < row.size();
    if (!possible || row[*chosen.chosen] != std::ranges::max(row))
      chosen_ = Capability::no("the device chose another token than the likeliest");
  }

  // A row after a prefix that `move` brought from sequence 0 to `to`, against the same row after the computed one.
  template <class Move>
  void check_moved(Verdict& verdict, SequenceId to, std::string_view what, Move move) {
    const auto tokens = text(kShort + 1, 0);
    const auto prompt = std::span(tokens).first(kShort), next = std::span(tokens).last(1);
    drop_all();
    step(id(0), prompt, LogitsWanted::none);
    const Rows computed = step(id(0), next, LogitsWanted::last);
    if (error_) return;
    if (auto moved = move(); !moved) {
      error_ = moved.error();
      return;
    }
    compare(verdict, step(to, next, LogitsWanted::last), 0, computed, 0, what);
  }

  Runtime& runtime_;
  const Capabilities& can_;
  Duration row_time_{};
  Verdict beside_, chunk_, single_, copy_, import_;
  Capability chosen_;
  std::optional<Error> error_;
};

}  // namespace

Result<Exactness> self_check(Runtime& runtime) { return SelfCheck(runtime).run(); }

}  // namespace sluice::llamacpp
