#include "config/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "config/address.h"
#include "config/take.h"

namespace sluice::config {
namespace {

constexpr std::array<std::string_view, 9> kPlainAndQuantized = {"f32",  "f16",  "bf16", "q8_0",  "q5_1",
                                                                "q5_0", "q4_1", "q4_0", "iq4_nl"};
constexpr size_t kPlainTypes = 3;  // the first of them

bool is_quantized(const std::string& type) {
  const auto end = kPlainAndQuantized.begin() + kPlainTypes;
  return std::find(kPlainAndQuantized.begin(), end, type) == end;
}

std::unexpected<Error> unknown_word(const std::string& word, const std::string& choices) {
  return fail(ErrorCode::invalid, fmt::format("'{}' is not possible; one of {} is", word, choices));
}

}  // namespace

Result<std::string> cache_type(const std::string& word) {
  if (std::ranges::find(kPlainAndQuantized, word) == kPlainAndQuantized.end()) return unknown_word(word, kCacheTypes);
  return word;
}

Result<FlashAttention> flash_attention(const std::string& word) {
  if (word == "auto") return FlashAttention::automatic;
  if (word == "on") return FlashAttention::on;
  if (word == "off") return FlashAttention::off;
  return unknown_word(word, "auto, on, off");
}

Result<TuneMode> tune_mode(const std::string& word) {
  if (word == "auto") return TuneMode::automatic;
  if (word == "off") return TuneMode::off;
  return unknown_word(word, "auto, off");
}

Result<LogLevel> log_level(const std::string& word) {
  if (word == "error") return LogLevel::error;
  if (word == "warn") return LogLevel::warn;
  if (word == "info") return LogLevel::info;
  if (word == "debug") return LogLevel::debug;
  return unknown_word(word, "error, warn, info, debug");
}

Result<std::string> model_name(const std::string& word) {
  if (word.empty()) return fail(ErrorCode::invalid, "a model's name must not be empty");
  if (std::ranges::any_of(word, [](unsigned char c) { return std::iscntrl(c) != 0; })) {
    return fail(ErrorCode::invalid, "a model's name must not hold control characters");
  }
  if (word.size() <= limits::model_name_bytes_max) return word;
  return fail(ErrorCode::invalid, fmt::format("a name of {} bytes is too long; {} bytes are possible", word.size(),
                                              limits::model_name_bytes_max));
}

Result<Class> class_of(const std::string& word) {
  if (const auto cls = find_class(word)) return *cls;
  return unknown_word(word, kClassNames);
}

namespace {

// NAME or NAME=CLASS. A name may hold a '=' itself where a class follows.
Result<Alias> alias_of(const std::string& word) {
  const size_t equals = word.rfind('=');
  Result<std::string> name = model_name(word.substr(0, equals));
  if (!name) return std::unexpected(std::move(name.error()));
  if (equals == std::string::npos) return Alias{std::move(*name), std::nullopt};
  const Result<Class> cls = class_of(word.substr(equals + 1));
  if (!cls) return std::unexpected(cls.error());
  return Alias{std::move(*name), *cls};
}

}  // namespace

Result<void> add_aliases(const std::string& comma_separated, std::vector<Alias>& aliases) {
  const auto added = for_each_word(comma_separated, [&aliases](const std::string& word) -> Result<void> {
    Result<Alias> alias = alias_of(word);
    if (!alias) return std::unexpected(std::move(alias.error()));
    for (const Alias& other : aliases) {
      if (other.name == alias->name && other.cls != alias->cls) {
        return fail(ErrorCode::invalid, fmt::format("'{}' cannot have two classes", alias->name));
      }
    }
    aliases.push_back(std::move(*alias));
    return {};
  });
  if (!added) return added;
  if (aliases.size() <= limits::aliases_max) return {};
  return fail(ErrorCode::invalid, fmt::format("too many names; {} are possible", limits::aliases_max));
}

Result<std::string> runtime_name(const std::string& word) {
  if (!word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == std::string::npos)
    return word;
  return fail(ErrorCode::invalid, "'" + word + "' is not possible; llamacpp is");
}

namespace {

Result<void> check_queue(const QueueLimits& queue) {
  const auto more = [&](uint32_t bound, const char* flag) {
    return fail(ErrorCode::invalid, fmt::format("{} is more than --queue-max {}", bound, queue.total), flag);
  };
  if (queue.by_key > queue.total) return more(queue.by_key, "--key-queue");
  for (const auto& bound : queue.by_class) {
    if (bound && *bound > queue.total) return more(*bound, "--class-queue");
  }
  return {};
}

}  // namespace

Result<void> check_together(const ServeOptions& o) {
  if (o.load.ubatch > o.load.batch) {
    return fail(ErrorCode::invalid,
                fmt::format("{} is more than --batch {}; a pass is a part of a call", o.load.ubatch, o.load.batch),
                "--ubatch");
  }
  if (o.load.batch < o.load.lanes) {
    return fail(
        ErrorCode::invalid,
        fmt::format("{} is less than --lanes {}; a call takes a token of each lane", o.load.batch, o.load.lanes),
        "--batch");
  }
  if (o.load.flash_attention == FlashAttention::off && is_quantized(o.load.cache_type_v)) {
    return fail(ErrorCode::invalid,
                fmt::format("{} needs flash attention; use --flash-attn auto, or f16", o.load.cache_type_v),
                "--cache-type-v");
  }
  if (Result<void> fits = check_queue(o.queue); !fits) return fits;
  if (!is_loopback(o.host) && o.api_keys.empty() && !o.insecure) {
    return fail(ErrorCode::invalid,
                fmt::format("{} can be reached from other machines and no key is set; use --api-key, --api-keys, or "
                            "--insecure to serve everybody",
                            o.host),
                "--host");
  }
  return {};
}

}  // namespace sluice::config
