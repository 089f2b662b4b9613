#include "telemetry/access_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace sluice::telemetry {
namespace {

bool plain(char c) { return c > ' ' && c <= '~' && c != '"' && c != '='; }

// A line stays one line, and a value one value, whatever a client put into it.
void append_value(std::string& out, std::string_view value) {
  if (!value.empty() && std::all_of(value.begin(), value.end(), plain)) {
    out += value;
    return;
  }
  out += '"';
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  out += '"';
}

class Line {
 public:
  void text(std::string_view key, std::string_view value) {
    if (value.empty()) return;
    name(key);
    append_value(out, value);
  }
  void number(std::string_view key, const std::optional<uint32_t>& value) {
    if (!value) return;
    name(key);
    fmt::format_to(std::back_inserter(out), "{}", *value);
  }
  void ms(std::string_view key, const std::optional<Duration>& value) {
    if (!value) return;
    name(key);
    fmt::format_to(std::back_inserter(out), "{:.1f}", to_ms(*value));
  }
  void rate(std::string_view key, const std::optional<double>& value) {
    if (!value) return;
    name(key);
    fmt::format_to(std::back_inserter(out), "{:.1f}", *value);
  }

  std::string out;

 private:
  void name(std::string_view key) {
    if (!out.empty()) out += ' ';
    out += key;
    out += '=';
  }
};

}  // namespace

std::string format(const AccessEntry& entry) {
  Line line;
  line.text("id", entry.request_id);
  line.text("method", entry.method);
  line.text("route", entry.route);
  line.number("status", static_cast<uint32_t>(entry.status));
  line.text("model", entry.model);
  line.text("class", entry.cls);
  line.text("key", entry.key_label);
  line.number("prompt_tokens", entry.prompt_tokens);
  line.number("cached_tokens", entry.cached_tokens);
  line.number("completion_tokens", entry.completion_tokens);
  line.ms("queue_ms", entry.queued);
  line.ms("first_token_ms", entry.first_token);
  line.ms("total_ms", entry.total);
  line.rate("prefill_per_second", entry.prefill_rate);
  line.rate("decode_per_second", entry.decode_rate);
  line.text("finish", entry.finish);
  line.text("error", entry.error_code);
  return std::move(line.out);
}

}  // namespace sluice::telemetry
