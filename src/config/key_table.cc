#include "config/key_table.h"

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/limits.h"
#include "config/check.h"

namespace sluice::config {
namespace {

constexpr std::array<std::string_view, 7> kFields = {
    "name", "sha256", "class", "max_class", "requests_per_minute", "tokens_per_minute", "concurrency"};

std::unexpected<Error> wrong(const toml::source_region& where, const std::string& what) {
  return fail(ErrorCode::invalid, fmt::format("line {}: {}", where.begin.line, what));
}

// Reads one [[key]]; the first thing wrong stays.
class KeyReader final {
 public:
  explicit KeyReader(const toml::table& table) : table_(table) {}

  Result<ApiKey> read() {
    ApiKey key;
    check_names();
    read_name(key);
    read_hash(key);
    read_classes(key);
    key.requests_per_minute = number("requests_per_minute", limits::key_requests_per_minute_max);
    key.tokens_per_minute = number("tokens_per_minute", limits::key_tokens_per_minute_max);
    key.concurrency = number("concurrency", limits::live_generations_max);
    if (error_) return std::unexpected(*error_);
    return key;
  }

 private:
  void set(const toml::source_region& where, const std::string& what) {
    if (!error_) error_ = wrong(where, what).error();
  }

  void check_names() {
    for (const auto& [name, value] : table_) {
      if (std::ranges::find(kFields, name.str()) != kFields.end()) continue;
      set(name.source(), fmt::format("'{}' is not possible; one of {} is", name.str(), fmt::join(kFields, ", ")));
    }
  }

  std::optional<std::string> text(std::string_view field) {
    const toml::node* node = table_.get(field);
    if (!node) return std::nullopt;
    if (const auto* value = node->as_string()) return value->get();
    set(node->source(), fmt::format("{} must be a text", field));
    return std::nullopt;
  }

  toml::source_region where(std::string_view field) const {
    const toml::node* node = table_.get(field);
    return node ? node->source() : table_.source();
  }

  void read_name(ApiKey& key) {
    key.name = text("name").value_or("");
    const bool plain = std::ranges::all_of(key.name, [](unsigned char c) { return std::isgraph(c) != 0; });
    if (!key.name.empty() && plain && key.name.size() <= limits::key_name_bytes_max) return;
    set(where("name"),
        fmt::format("a key needs a name of 1 to {} letters, digits and signs", limits::key_name_bytes_max));
  }

  void read_hash(ApiKey& key) {
    const auto hash = sha256_of_hex(text("sha256").value_or(""));
    if (!hash) return set(where("sha256"), "a key needs its sha256, 64 hex digits: printf %s \"$KEY\" | sha256sum");
    key.hash = *hash;
  }

  void read_classes(ApiKey& key) {
    key.cls = cls("class");
    key.max_class = cls("max_class").value_or(key.max_class);
    if (key.cls && *key.cls < key.max_class) {
      set(where("class"),
          fmt::format("class {} is better than max_class {}", name_of(*key.cls), name_of(key.max_class)));
    }
  }

  std::optional<Class> cls(std::string_view field) {
    const auto word = text(field);
    if (!word) return std::nullopt;
    const auto found = class_of(*word);
    if (found) return *found;
    set(where(field), fmt::format("{}: {}", field, found.error().message));
    return std::nullopt;
  }

  std::optional<uint32_t> number(std::string_view field, uint32_t max) {
    const toml::node* node = table_.get(field);
    if (!node) return std::nullopt;
    const auto* value = node->as_integer();
    if (value && value->get() >= 1 && value->get() <= max) return static_cast<uint32_t>(value->get());
    set(node->source(), fmt::format("{} must be a number from 1 to {}", field, max));
    return std::nullopt;
  }

  const toml::table& table_;
  std::optional<Error> error_;
};

Result<const toml::array*> keys_of(const toml::table& file) {
  for (const auto& [name, value] : file) {
    if (name.str() != "key") return wrong(name.source(), fmt::format("'{}' is not possible; [[key]] is", name.str()));
    if (!value.is_array_of_tables()) return wrong(value.source(), "a key begins with [[key]]");
  }
  const toml::node* keys = file.get("key");
  if (!keys) return fail(ErrorCode::invalid, "it holds no key; each begins with [[key]]");
  return keys->as_array();
}

}  // namespace

Result<std::vector<ApiKey>> parse_key_table(const std::string& text) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) return wrong(parsed.error().source(), std::string(parsed.error().description()));
  const auto tables = keys_of(parsed.table());
  if (!tables) return std::unexpected(tables.error());
  std::vector<ApiKey> keys;
  for (const toml::node& node : **tables) {
    auto key = KeyReader(*node.as_table()).read();
    if (!key) return std::unexpected(std::move(key.error()));
    const bool taken = std::ranges::any_of(keys, [&](const ApiKey& other) { return other.name == key->name; });
    if (taken) return wrong(node.source(), fmt::format("a second key has the name {}", key->name));
    keys.push_back(std::move(*key));
  }
  return keys;
}

}  // namespace sluice::config
