// When the chunks of each stream arrived: one line a stream, a pale bar while it waits, a tick for every chunk. Refuses
// to know requests. Thread: any. Internal to bench/report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::bench::report {

struct RasterStream {
  std::string name;
  double sent_ms = 0, first_ms = 0, done_ms = 0;  // first_ms == done_ms: nothing came
  std::vector<double> ticks_ms;
};

struct Raster {
  uint32_t row = 0;
  std::string name;
  std::string words;  // right of the name
  std::vector<RasterStream> streams;
  bool with_names = false;  // streams of several sorts
};

inline constexpr size_t kRasterStreamsMax = 32;
inline constexpr size_t kRasterTicksMax = 6000;  // of one picture: then every second, third, .. tick is drawn

// How many ticks stand for one that is drawn.
size_t raster_stride(const Raster& raster);
std::string draw_raster(const std::string& label, const Raster& raster, double duration_ms);

}  // namespace sluice::bench::report
