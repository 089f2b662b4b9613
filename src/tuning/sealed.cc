#include "tuning/sealed.h"

#include <fmt/format.h>

#include "base/fnv.h"

namespace sluice::tuning {
namespace {

namespace json = boost::json;

std::unexpected<Error> broken(std::string what) { return fail(ErrorCode::invalid, std::move(what)); }

// "sluice-tuning 1 85944171f73967e8"
std::string head_of(const Seal& seal, std::string_view body) {
  return fmt::format("{} {} {}\n", seal.kind, seal.version, hex16(fnv1a(body)));
}

}  // namespace

std::string sealed(const Seal& seal, const json::object& object) {
  const std::string body = json::serialize(object) + "\n";
  return head_of(seal, body) + body;
}

Result<json::object> opened(const Seal& seal, std::string_view bytes) {
  if (bytes.size() > seal.bytes_max) return broken("it is too long");
  const std::string start = fmt::format("{} {} ", seal.kind, seal.version);
  if (!bytes.starts_with(fmt::format("{} ", seal.kind))) return broken("it does not begin as such a file does");
  if (!bytes.starts_with(start)) return broken(fmt::format("its version is not {}", seal.version));
  const std::string_view body = bytes.substr(std::min(bytes.find('\n'), bytes.size() - 1) + 1);
  if (bytes != head_of(seal, body) + std::string(body)) return broken("it was cut or changed");
  json::error_code error;
  json::value value = json::parse(json::string_view(body.data(), body.size()), error);
  if (error || !value.is_object()) return broken("it is not JSON");
  return std::move(value.as_object());
}

}  // namespace sluice::tuning
