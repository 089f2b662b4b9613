#include "config/key_sources.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/limits.h"
#include "config/key_file.h"
#include "config/key_table.h"

namespace sluice::config {
namespace {

constexpr const char* kTableFlag = "--api-keys";

std::unexpected<Error> in_table(const std::string& path, const std::string& what) {
  return fail(ErrorCode::invalid, fmt::format("'{}' {}", path, what), kTableFlag);
}

Result<std::string> text_of(const std::string& path) {
  errno = 0;
  std::ifstream file(path);
  std::string text(limits::key_file_bytes_max + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad() || errno == EISDIR) {
    return in_table(path, fmt::format("cannot be read ({})", std::strerror(errno)));
  }
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() <= limits::key_file_bytes_max) return text;
  return in_table(path, fmt::format("is too long; {} bytes are possible", limits::key_file_bytes_max));
}

Result<std::vector<ApiKey>> read_table(const std::string& path) {
  const auto text = text_of(path);
  if (!text) return std::unexpected(text.error());
  auto keys = parse_key_table(*text);
  if (!keys) return in_table(path, keys.error().message);
  return keys;
}

Result<void> add_plain(const KeySources& sources, std::vector<ApiKey>& keys) {
  std::vector<std::string> texts = sources.plain;
  if (!sources.plain_file.empty()) {
    auto more = read_key_file(sources.plain_file);
    if (!more) return std::unexpected(std::move(more.error()));
    texts.insert(texts.end(), more->begin(), more->end());
  }
  for (const std::string& text : texts) {
    ApiKey key;
    key.name = fmt::format("key{}", keys.size() + 1);
    key.hash = sha256(text);
    keys.push_back(std::move(key));
  }
  return {};
}

Result<void> add_table(const KeySources& sources, std::vector<ApiKey>& keys) {
  if (sources.table_file.empty()) return {};
  auto more = read_table(sources.table_file);
  if (!more) return std::unexpected(std::move(more.error()));
  keys.insert(keys.end(), more->begin(), more->end());
  return {};
}

// The second of two that are the same would never be found.
Result<void> check_distinct(const std::vector<ApiKey>& keys) {
  for (size_t i = 0; i < keys.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (keys[i].name == keys[k].name) {
        return fail(ErrorCode::invalid, fmt::format("two keys have the name {}", keys[i].name), kTableFlag);
      }
      if (keys[i].hash.bytes == keys[k].hash.bytes) {
        return fail(ErrorCode::invalid, fmt::format("{} and {} are the same key", keys[k].name, keys[i].name),
                    kTableFlag);
      }
    }
  }
  return {};
}

}  // namespace

Result<std::vector<ApiKey>> read_keys(const KeySources& sources) {
  std::vector<ApiKey> keys;
  if (auto added = add_plain(sources, keys); !added) return std::unexpected(std::move(added.error()));
  if (auto added = add_table(sources, keys); !added) return std::unexpected(std::move(added.error()));
  if (keys.size() > limits::api_keys_max) {
    return fail(ErrorCode::invalid,
                fmt::format("{} keys are too many; {} are possible", keys.size(), limits::api_keys_max), "--api-key");
  }
  if (auto distinct = check_distinct(keys); !distinct) return std::unexpected(std::move(distinct.error()));
  return keys;
}

}  // namespace sluice::config
