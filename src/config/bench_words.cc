#include "config/bench_words.h"

#include <algorithm>

#include "base/limits.h"
#include "config/take.h"

namespace sluice::config {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

namespace {

Result<void> set_number(std::optional<uint32_t>& target, const std::string& value, uint32_t max, const char* what) {
  auto number = number_in<uint32_t>(value, 1, max, what);
  if (!number) return std::unexpected(std::move(number.error()));
  target = *number;
  return {};
}

Result<void> set_option(BenchStart& start, const std::string& name, const std::string& value) {
  if (name == "program") return start.program = value, Result<void>{};
  if (name == "model") return start.model = value, Result<void>{};
  if (name == "ready") return start.ready_path = value, Result<void>{};
  if (name == "arg") return start.arguments.push_back(value), Result<void>{};
  if (name.starts_with("env.")) return start.environment.emplace_back(name.substr(4), value), Result<void>{};
  if (name == "lanes") return set_number(start.lanes, value, limits::lanes_max, "a number of lanes");
  if (name == "context") return set_number(start.context, value, limits::window_tokens_max, "a context");
  if (name == "threads") return set_number(start.threads, value, limits::threads_max, "a number of threads");
  return fail(ErrorCode::invalid, "'" + name +
                                      "' is no option of a server; there are program, model, lanes, context, "
                                      "threads, arg, env.NAME, ready");
}

}  // namespace

Result<BenchStart> bench_start(const std::string& word) {
  const auto parts = split(word, ',');
  const size_t equals = parts.front().find('=');
  BenchStart start;
  start.name = parts.front().substr(0, equals);
  start.kind = equals == std::string::npos ? start.name : parts.front().substr(equals + 1);
  if (start.name.empty() || start.kind.empty()) {
    return fail(ErrorCode::invalid, "'" + word + "' is not possible; NAME=KIND[,option=value]... would be");
  }
  for (size_t i = 1; i < parts.size(); ++i) {
    const size_t at = parts[i].find('=');
    if (at == std::string::npos) {
      return fail(ErrorCode::invalid, "'" + parts[i] + "' has no value; option=value would be possible");
    }
    if (auto set = set_option(start, parts[i].substr(0, at), parts[i].substr(at + 1)); !set) {
      return std::unexpected(std::move(set.error()));
    }
  }
  return start;
}

Result<BenchUrl> bench_url(const std::string& word) {
  const auto parts = split(word, ',');
  const std::string& first = parts.front();
  const size_t scheme = first.find("http://");
  const bool named = scheme != std::string::npos && scheme > 1 && first[scheme - 1] == '=';
  if (scheme != 0 && !named) {
    return fail(ErrorCode::invalid, "'" + word + "' is not possible; [NAME=]http://127.0.0.1:8484 would be");
  }
  BenchUrl url;
  url.url = first.substr(scheme);
  url.name = named ? first.substr(0, scheme - 1) : url.url.substr(sizeof "http://" - 1);
  for (size_t i = 1; i < parts.size(); ++i) {
    const std::string name = parts[i].substr(0, parts[i].find('='));
    if (name == parts[i] || (name != "kind" && name != "model")) {
      return fail(ErrorCode::invalid, "'" + parts[i] + "' is no option of a URL; there are kind=KIND and model=ID");
    }
    (name == "kind" ? url.kind : url.model) = parts[i].substr(name.size() + 1);
  }
  return url;
}

Result<std::vector<BenchStart>> swept(const std::vector<BenchStart>& starts, const std::string& word) {
  const size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) {
    return fail(ErrorCode::invalid, "'" + word + "' is not possible; threads=1,2 would be");
  }
  const std::string name = word.substr(0, equals);
  std::vector<BenchStart> rows;
  for (const BenchStart& start : starts) {
    for (const std::string& value : split(word.substr(equals + 1), ',')) {
      BenchStart row = start;
      row.name += " " + name + "=" + value;
      if (auto set = set_option(row, name, value); !set) return std::unexpected(std::move(set.error()));
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace sluice::config
