#include "adapters/fake/model_file.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "adapters/fake/vocabulary.h"
#include "base/limits.h"

namespace sluice::fake {
namespace {

constexpr uintmax_t kFileBytesMax = 64u << 10;

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::unexpected<Error> wrong(std::string message) { return fail(ErrorCode::invalid, std::move(message)); }

Result<uint64_t> number(std::string_view value, uint64_t low, uint64_t high) {
  uint64_t parsed = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
  if (error == std::errc{} && end == value.data() + value.size() && parsed >= low && parsed <= high) return parsed;
  return wrong(fmt::format("needs a number from {} to {}, not \"{}\"", low, high, value));
}

template <class Unsigned>
Result<void> put_number(std::string_view value, uint64_t low, uint64_t high, Unsigned& to) {
  const auto parsed = number(value, low, high);
  if (!parsed) return std::unexpected(parsed.error());
  to = static_cast<Unsigned>(*parsed);
  return {};
}

template <class Unit>
Result<void> put_time(std::string_view value, Duration& to) {
  uint64_t count = 0;
  if (auto put = put_number(value, 0, 3'600'000'000, count); !put) return put;
  to = Unit(count);
  return {};
}

Result<void> put_text(std::string_view value, std::string& to) {
  to = value;
  return value.empty() ? wrong("needs a text") : Result<void>{};
}

Result<void> put_flag(std::string_view value, bool& to) {
  if (value != "yes" && value != "no") return wrong(fmt::format("needs yes or no, not \"{}\"", value));
  to = value == "yes";
  return {};
}

std::optional<FakeFault> fault_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, FakeFault>, 6> names{{{"capacity", FakeFault::capacity},
                                                                         {"fault", FakeFault::fault},
                                                                         {"fatal", FakeFault::fatal},
                                                                         {"hang", FakeFault::hang},
                                                                         {"freeze", FakeFault::freeze},
                                                                         {"crash", FakeFault::crash}}};
  for (const auto& [known, kind] : names) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

// "crash after 10 calls"
Result<void> put_fault(std::string_view value, std::vector<ScriptedFault>& to) {
  std::istringstream words{std::string(value)};
  std::string kind, after, count, calls, more;
  words >> kind >> after >> count >> calls >> more;
  const auto named = fault_named(kind);
  if (!named || after != "after" || calls != "calls" || !more.empty()) {
    return wrong(fmt::format("needs \"(capacity|fault|fatal|hang|freeze|crash) after N calls\", not \"{}\"", value));
  }
  uint64_t served = 0;
  if (auto put = put_number(count, 0, UINT32_MAX, served); !put) return put;
  to.push_back({*named, served + 1});
  return {};
}

// "crash on TEXT"
Result<void> put_codec_fault(std::string_view value, std::optional<CodecFault>& to) {
  for (const auto& [start, kind] : {std::pair<std::string_view, CodecFault::Kind>{"crash on ", CodecFault::Kind::crash},
                                    {"hang on ", CodecFault::Kind::hang}}) {
    if (!value.starts_with(start) || value.size() == start.size()) continue;
    to = CodecFault{kind, std::string(value.substr(start.size()))};
    return {};
  }
  return wrong(fmt::format("needs \"crash on TEXT\" or \"hang on TEXT\", not \"{}\"", value));
}

// "on 3", "off 1", "crash"
Result<void> put_tuning(std::string_view value, TuningScript& to) {
  to.crashes = value == "crash";
  if (to.crashes) return {};
  const auto space = std::min(value.find(' '), value.size());
  const std::string_view flash = value.substr(0, space);
  const auto threads = number(trim(value.substr(space)), 1, limits::threads_max);
  if (!threads || (flash != "on" && flash != "off"))
    return wrong(fmt::format("needs \"on THREADS\", \"off THREADS\" or \"crash\", not \"{}\"", value));
  to.choice = {flash == "on", static_cast<uint32_t>(*threads)};
  return {};
}

struct Key {
  std::string_view name;
  Result<void> (*put)(std::string_view value, ModelFile& file);
};

constexpr uint64_t kElementsMax = limits::gguf_kv_elements_max;

constexpr Key kKeys[] = {
    {"name", [](auto v, auto& f) { return put_text(v, f.name); }},
    {"vocabulary", [](auto v, auto& f) { return put_number(v, kFirstSpare, 1u << 20, f.vocabulary); }},
    {"trained_window", [](auto v, auto& f) { return put_number(v, 1, limits::window_tokens_max, f.trained_window); }},
    {"window", [](auto v, auto& f) { return put_number(v, 1, limits::window_tokens_max, f.window); }},
    {"end_every", [](auto v, auto& f) { return put_number(v, 1, UINT32_MAX, f.end_every); }},
    {"call_us", [](auto v, auto& f) { return put_time<std::chrono::microseconds>(v, f.call_latency); }},
    {"row_us", [](auto v, auto& f) { return put_time<std::chrono::microseconds>(v, f.row_latency); }},
    {"load_ms", [](auto v, auto& f) { return put_time<std::chrono::milliseconds>(v, f.load_time); }},
    {"chat_template", [](auto v, auto& f) { return put_flag(v, f.has_chat_template); }},
    {"kv_k_elements", [](auto v, auto& f) { return put_number(v, 1, kElementsMax, f.kv_k_elements); }},
    {"kv_v_elements", [](auto v, auto& f) { return put_number(v, 1, kElementsMax, f.kv_v_elements); }},
    {"load_error", [](auto v, auto& f) { return put_text(v, f.load_error); }},
    {"codec_error", [](auto v, auto& f) { return put_text(v, f.codec_error); }},
    {"fault", [](auto v, auto& f) { return put_fault(v, f.faults); }},
    {"codec_fault", [](auto v, auto& f) { return put_codec_fault(v, f.codec_fault); }},
    {"tuning", [](auto v, auto& f) { return put_tuning(v, f.tuning); }},
};

Result<void> parse_line(std::string_view line, std::set<std::string_view>& seen, ModelFile& file) {
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return wrong(fmt::format("\"{}\" is not `key = value`", line));
  const std::string_view name = trim(line.substr(0, equals)), value = trim(line.substr(equals + 1));
  for (const Key& key : kKeys) {
    if (key.name != name) continue;
    if (!seen.insert(key.name).second && name != "fault") return wrong(fmt::format("{} is given twice", name));
    auto put = key.put(value, file);
    if (!put) return wrong(fmt::format("{} {}", name, put.error().message));
    return {};
  }
  return wrong(fmt::format("there is no key \"{}\"", name));
}

}  // namespace

Result<ModelFile> parse_model_file(std::string_view text) {
  ModelFile file;
  file.file_bytes = text.size();
  std::set<std::string_view> seen;
  for (int number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    if (auto parsed = parse_line(line, seen, file); !parsed) {
      return wrong(fmt::format("line {}: {}", number, parsed.error().message));
    }
  }
  return file;
}

Result<ModelFile> read_model_file(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  if (error) return fail(ErrorCode::io, fmt::format("{}: {}", path, error.message()));
  if (bytes > kFileBytesMax)
    return wrong(fmt::format("{}: is over {} bytes, so no model of the fake", path, kFileBytesMax));
  std::ifstream in(path, std::ios::binary);
  std::string text(bytes, '\0');
  if (!in.read(text.data(), static_cast<std::streamsize>(bytes))) {
    return fail(ErrorCode::io, fmt::format("{}: cannot be read", path));
  }
  auto file = parse_model_file(text);
  if (!file) return wrong(fmt::format("{}: {}", path, file.error().message));
  if (file->name.empty()) file->name = std::filesystem::path(path).stem().string();
  return file;
}

}  // namespace sluice::fake
