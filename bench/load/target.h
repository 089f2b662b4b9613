// A server as requests see it. Refuses to know who started it. Thread: any (values).
#pragma once

#include <string>
#include <vector>

#include "bench/load/dialect.h"
#include "bench/wire/address.h"

namespace sluice::bench {

struct Target {
  Address address;
  Dialect dialect;
  std::string model;                  // its id
  std::vector<http::Header> headers;  // of every request: a key
};

}  // namespace sluice::bench
