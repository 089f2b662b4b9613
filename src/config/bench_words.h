// The words of `sluice bench` that have parts: a server to start, a server at a URL, a sweep. Refuses to know flags.
// Thread: any.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "config/bench_options.h"

namespace sluice::config {

std::vector<std::string> split(const std::string& text, char separator);

// "NAME=KIND[,option=value]...", or "KIND" for both. Error: invalid.
Result<BenchStart> bench_start(const std::string& word);
// "[NAME=]http://...[,kind=KIND][,model=ID]"; without a name it is host and port. Error: invalid.
Result<BenchUrl> bench_url(const std::string& word);
// "threads=1,2": each of `starts` becomes one for each value, "NAME threads=1" and so on. Error: invalid.
Result<std::vector<BenchStart>> swept(const std::vector<BenchStart>& starts, const std::string& word);

}  // namespace sluice::config
