// Counters, gauges and histograms, and their Prometheus text (format 0.0.4). A registry is an object that the
// composition root makes and hands on. Refuses to know what is counted. Thread: core. Lifetime: families and series
// live as long as their registry, at the same address; series until their family is cleared.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::telemetry {

class Counter final {
 public:
  void add(uint64_t n = 1) { total_ += n; }
  // Mirrors a total kept elsewhere, which begins at 0 again when its keeper restarts: ours never falls.
  void follow(uint64_t reported);
  uint64_t total() const { return total_; }

 private:
  uint64_t total_ = 0;
  uint64_t last_reported_ = 0;
};

class Gauge final {
 public:
  void set(double value) { value_ = value; }
  double value() const { return value_; }

 private:
  double value_ = 0;
};

class Histogram final {
 public:
  explicit Histogram(const std::vector<double>& bounds) : bounds_(&bounds), counts_(bounds.size() + 1) {}
  void observe(double value);
  void append_series(std::string& out, std::string_view name, const std::string& labels) const;

 private:
  const std::vector<double>* bounds_;  // upper bounds, rising; the family's
  std::vector<uint64_t> counts_;       // of each bucket alone; the last is above all bounds
  double sum_ = 0;
};

using LabelValues = std::vector<std::string>;

struct MetricText {
  std::string name;
  std::string help;  // the exact meaning, with the unit
  std::vector<std::string> labels;
};

class Family {
 public:
  explicit Family(MetricText text) : text_(std::move(text)) {}
  virtual ~Family() = default;
  virtual void append_to(std::string& out) const = 0;

 protected:
  void append_header(std::string& out, std::string_view type) const;
  std::string labels_text(const LabelValues& values) const;  // "{a=\"x\"}", or empty
  void check(const LabelValues& values, size_t series) const;
  const MetricText text_;
};

template <class Metric>
class SeriesFamily final : public Family {
 public:
  explicit SeriesFamily(MetricText text, std::vector<double> bounds = {})
      : Family(std::move(text)), bounds_(std::move(bounds)) {}
  // The series with these label values, in the order of the labels; made at its first use.
  Metric& with(LabelValues values = {});
  void clear() { series_.clear(); }  // of gauges whose labels come and go: set anew before each scrape
  void append_to(std::string& out) const override;

 private:
  const std::vector<double> bounds_;
  std::map<LabelValues, std::unique_ptr<Metric>> series_;
};

using CounterFamily = SeriesFamily<Counter>;
using GaugeFamily = SeriesFamily<Gauge>;
using HistogramFamily = SeriesFamily<Histogram>;

class Registry final {
 public:
  Counter& counter(std::string name, std::string help);
  CounterFamily& counters(std::string name, std::string help, std::vector<std::string> labels);
  Gauge& gauge(std::string name, std::string help);
  GaugeFamily& gauges(std::string name, std::string help, std::vector<std::string> labels);
  Histogram& histogram(std::string name, std::string help, std::vector<double> bounds);
  HistogramFamily& histograms(std::string name, std::string help, std::vector<std::string> labels,
                              std::vector<double> bounds);
  std::string render() const;  // in the order in which the metrics were made

 private:
  template <class F>
  F& add(std::unique_ptr<F> family);
  std::vector<std::unique_ptr<Family>> families_;
};

}  // namespace sluice::telemetry
