#include "bench/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "base/limits.h"
#include "bench/report/report.h"
#include "bench/result/json.h"
#include "bench/run/run.h"
#include "config/flags.h"

namespace sluice::bench {
namespace {

constexpr int kExitFailed = 1;

int say(const Error& error, int code) {
  fmt::print(stderr, "sluice bench: {}{}\n", error.field.empty() ? "" : error.field + ": ", error.message);
  return code;
}

std::vector<http::Header> headers_of(const config::BenchOptions& options) {
  if (options.api_key.empty()) return {};
  return {{"Authorization", "Bearer " + options.api_key}};
}

Result<std::vector<Server>> make_servers(const config::BenchOptions& options, const Places& places) {
  std::vector<Server> servers;
  for (const config::BenchStart& start : options.starts) {
    if (auto planned = plan_launch(start, options, places, 1); !planned) return std::unexpected(planned.error());
    servers.push_back(Server::started(
        [&start, &options, places](uint16_t port) { return *plan_launch(start, options, places, port); },
        headers_of(options)));
  }
  for (const config::BenchUrl& url : options.urls) {
    if (!url.kind.empty() && !kind_named(url.kind)) {
      return fail(ErrorCode::invalid, "'" + url.kind + "' is no kind of server; there are " + kind_names(), "--url");
    }
  }
  for (const config::BenchUrl& url : options.urls) servers.push_back(Server::at_url(url, headers_of(options)));
  return servers;
}

// Without the key, which is nobody's business who reads the result.
std::vector<std::string> without_key(std::vector<std::string> words) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].starts_with("--api-key=")) words[i] = "--api-key=...";
    if (words[i] == "--api-key" && i + 1 < words.size()) words[i + 1] = "...";
  }
  return words;
}

// Before anything is measured.
Result<void> check_out(const std::string& path) {
  if (path.empty() || std::ofstream(path + ".part")) return {};
  return fail(ErrorCode::io, "cannot write " + path, "--out");
}

bool counted(const CellResult& cell) {
  return std::ranges::any_of(cell.samples, [](const Sample& sample) { return sample.state == SampleState::ok; });
}

int exit_code_of(const RunResult& result) {
  const bool all_served =
      std::ranges::all_of(result.rows, [](const RowFacts& row) { return row.state == RowState::served; });
  return all_served && std::ranges::all_of(result.cells, counted) ? 0 : kExitFailed;
}

Result<RunResult> read_result(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return fail(ErrorCode::io, "cannot read " + path);
  const auto bytes = static_cast<size_t>(file.tellg());
  if (bytes > limits::bench_result_bytes_max) {
    return fail(ErrorCode::too_large, path + ": no result of `sluice bench` is so large");
  }
  std::string text(bytes, '\0');
  if (!file.seekg(0).read(text.data(), std::ssize(text))) return fail(ErrorCode::io, "cannot read " + path);
  auto result = from_json(text);
  if (!result) result.error().message = path + ": " + result.error().message;
  return result;
}

bool write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) fmt::print(stderr, "sluice bench: cannot write {}\n", path);
  return static_cast<bool>(file);
}

}  // namespace

int run_bench(const config::BenchOptions& options, const std::filesystem::path& executable_folder,
              const std::vector<std::string>& words) {
  auto cells = make_cells(options);
  if (!cells) return say(cells.error(), config::kExitUsage);
  auto servers = make_servers(options, places_from(executable_folder));
  if (!servers) return say(servers.error(), config::kExitUsage);
  if (auto writable = check_out(options.out); !writable) return say(writable.error(), config::kExitUsage);
  Run run(options, std::move(*servers), std::move(*cells), without_key(words));
  if (auto measured = run.measure(); !measured) return say(measured.error(), kExitFailed);
  const RunResult& result = run.result();
  fmt::print("{}", markdown_report({&result, 1}));
  if (!options.out.empty()) fmt::print(stderr, "result: {}\n", options.out);
  return exit_code_of(result);
}

int report(const config::BenchReportOptions& options) {
  std::vector<RunResult> results;
  for (const std::string& path : options.results) {
    auto result = read_result(path);
    if (!result) return say(result.error(), kExitFailed);
    results.push_back(std::move(*result));
  }
  bool written = true;
  if (!options.html.empty()) written &= write(options.html, html_report(results));
  if (!options.markdown.empty()) written &= write(options.markdown, markdown_report(results));
  if (options.html.empty() && options.markdown.empty()) fmt::print("{}", markdown_report(results));
  return written ? 0 : kExitFailed;
}

}  // namespace sluice::bench
