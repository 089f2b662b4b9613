// A kept object as a file's bytes and back: a first line with its kind, the format's version and a checksum of what
// follows, so that a file that was cut or changed is known; then JSON. Refuses to know what is in the object. Pure.
// Thread: any.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>

#include "base/error.h"

namespace sluice::tuning {

struct Seal {
  std::string_view kind;  // "sluice-tuning"
  int version = 0;
  size_t bytes_max = 0;
};

std::string sealed(const Seal& seal, const boost::json::object& object);

// Error: invalid, with what is wrong.
Result<boost::json::object> opened(const Seal& seal, std::string_view bytes);

}  // namespace sluice::tuning
