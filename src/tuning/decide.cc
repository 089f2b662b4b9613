#include "tuning/decide.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "base/check.h"
#include "runtime/settle.h"

namespace sluice::tuning {
namespace {

bool has_flash_attention(const LoadOptions& load) { return load.flash_attention != FlashAttention::automatic; }
bool has_threads(const LoadOptions& load) { return load.threads > 0; }

void take(const Pin& pin, LoadOptions& load) {
  if (pin.flash_attention && !has_flash_attention(load))
    load.flash_attention = *pin.flash_attention ? FlashAttention::on : FlashAttention::off;
  if (pin.threads && !has_threads(load)) load.threads = *pin.threads;
}

void note(Decided& decided, const std::string& flash_attention_from, const std::string& threads_from) {
  if (decided.flash_attention_from.empty() && has_flash_attention(decided.load))
    decided.flash_attention_from = flash_attention_from;
  if (decided.threads_from.empty() && has_threads(decided.load)) decided.threads_from = threads_from;
}

}  // namespace

Decided decide(const LoadOptions& asked, const Pin& pin, const std::optional<Stored>& stored) {
  Decided decided{asked, {}, {}};
  note(decided, "--flash-attn", "--threads");
  take(pin, decided.load);
  note(decided, "pinned", "pinned");
  const bool open = !has_flash_attention(decided.load) || !has_threads(decided.load);
  decided.load.tune = open && !stored;
  if (stored) fill_in(decided, stored->tuning.choice, "stored tuning of " + day_of(stored->made));
  return decided;
}

void fill_in(Decided& decided, const TuningChoice& choice, const std::string& from) {
  settle(decided.load, choice);
  note(decided, from, from);
}

std::string words_of(const Decided& decided) {
  CHECK(has_flash_attention(decided.load) && has_threads(decided.load));
  const auto* flash = decided.load.flash_attention == FlashAttention::on ? "on" : "off";
  const std::string threads = fmt::format("{} thread{}", decided.load.threads, decided.load.threads == 1 ? "" : "s");
  if (decided.flash_attention_from == decided.threads_from)
    return fmt::format("flash attention {}, {} ({})", flash, threads, decided.threads_from);
  return fmt::format("flash attention {} ({}), {} ({})", flash, decided.flash_attention_from, threads,
                     decided.threads_from);
}

std::string day_of(int64_t unix_seconds) {
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(static_cast<std::time_t>(unix_seconds)));
}

}  // namespace sluice::tuning
