#include "http/url.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace sluice::http {
namespace {

constexpr std::string_view kScheme = "http://";

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[i + 1]);
    const int low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

// "127.0.0.1:80", "[::1]:80", "name"
Result<Url> parse_authority(std::string_view authority) {
  const auto bad = [&] {
    return fail(ErrorCode::invalid, fmt::format("\"{}\" is not host or host:port; IPv6: [::1]:8484", authority));
  };
  Url url;
  std::string_view port;
  if (authority.starts_with('[')) {
    const size_t end = authority.find(']');
    if (end == std::string_view::npos) return bad();
    url.host = authority.substr(1, end - 1);
    port = authority.substr(end + 1);
  } else {
    const size_t colon = authority.find(':');
    url.host = authority.substr(0, colon);
    port = colon == std::string_view::npos ? std::string_view{} : authority.substr(colon);
  }
  if (url.host.empty()) return bad();
  if (port.empty()) return url;
  const auto [end, ec] = std::from_chars(port.data() + 1, port.data() + port.size(), url.port);
  if (port[0] != ':' || ec != std::errc{} || end != port.data() + port.size() || url.port == 0) return bad();
  return url;
}

}  // namespace

Result<Target> parse_target(std::string_view target) {
  if (target.starts_with(kScheme)) {
    const size_t slash = target.find('/', kScheme.size());
    target = slash == std::string_view::npos ? "/" : target.substr(slash);
  }
  if (target != "*" && !target.starts_with('/')) {
    return fail(ErrorCode::invalid, "the request target must be a path that begins with \"/\"");
  }
  const size_t question = target.find('?');
  auto path = percent_decoded(target.substr(0, question));
  if (!path) return fail(ErrorCode::invalid, "the path has a \"%\" that two hexadecimal digits do not follow");
  const auto query = question == std::string_view::npos ? std::string_view{} : target.substr(question + 1);
  return Target{std::move(*path), std::string(query)};
}

Result<Url> parse_url(std::string_view url) {
  if (!url.starts_with(kScheme)) {
    return fail(ErrorCode::unsupported, fmt::format("\"{}\" does not begin with http://", url));
  }
  const std::string_view rest = url.substr(kScheme.size());
  const size_t slash = rest.find_first_of("/?");
  auto parsed = parse_authority(rest.substr(0, slash));
  if (!parsed || slash == std::string_view::npos) return parsed;
  if (rest[slash] == '/') parsed->target.clear();
  parsed->target.append(rest.substr(slash));
  return parsed;
}

std::string Url::host_header() const {
  const std::string name = host.find(':') == std::string::npos ? host : fmt::format("[{}]", host);
  return port == 80 ? name : fmt::format("{}:{}", name, port);
}

}  // namespace sluice::http
