// A file's place in the page cache: put there, dropped from it, looked at. Thread: any.
#pragma once

#include <string>

namespace sluice::bench {

void read_into_cache(const std::string& path);
void drop_from_cache(const std::string& path);  // what no process has mapped
double cached_share(const std::string& path);   // 0 .. 1; 0 where the file cannot be read

}  // namespace sluice::bench
