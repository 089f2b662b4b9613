#include "bench/report/spread.h"

#include <algorithm>

namespace sluice::bench::report {
namespace {

// Labels that touch, centred on the mean of what they want.
struct Cluster {
  double sum = 0;
  double count = 0;
  double first(double gap) const { return sum / count - (count - 1) / 2 * gap; }
  double past(double gap) const { return first(gap) + count * gap; }
};

std::vector<Cluster> clusters_of(const std::vector<double>& wanted, double gap) {
  std::vector<Cluster> clusters;
  for (const double at : wanted) {
    clusters.push_back({at, 1});
    while (clusters.size() > 1 && clusters[clusters.size() - 2].past(gap) > clusters.back().first(gap)) {
      const Cluster last = clusters.back();
      clusters.pop_back();
      clusters.back().sum += last.sum;
      clusters.back().count += last.count;
    }
  }
  return clusters;
}

}  // namespace

std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high) {
  std::vector<double> places;
  double least = low;
  for (const auto& cluster : clusters_of(wanted, gap)) {
    least = std::max(least, cluster.first(gap));
    for (double i = 0; i < cluster.count; ++i, least += gap) places.push_back(least);
  }
  double most = high;
  for (size_t i = places.size(); i-- > 0; most = places[i] - gap) places[i] = std::min(places[i], most);
  return places;
}

}  // namespace sluice::bench::report
