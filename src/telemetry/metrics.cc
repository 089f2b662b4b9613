#include "telemetry/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/check.h"
#include "base/limits.h"

namespace sluice::telemetry {
namespace {

// Backslash and line feed are escaped everywhere, quotes in label values.
std::string escaped(std::string_view text, bool quotes) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '\\' || (c == '"' && quotes)) out += '\\';
      out += c;
    }
  }
  return out;
}

void append_sample(std::string& out, std::string_view name, std::string_view labels, auto value) {
  fmt::format_to(std::back_inserter(out), "{}{} {}\n", name, labels, value);
}

// "{a=\"x\"}" with one more label.
std::string with_label(const std::string& labels, std::string_view name, std::string_view value) {
  if (labels.empty()) return fmt::format("{{{}=\"{}\"}}", name, value);
  return fmt::format("{},{}=\"{}\"}}", std::string_view(labels).substr(0, labels.size() - 1), name, value);
}

void append_series(std::string& out, std::string_view name, const std::string& labels, const Counter& counter) {
  append_sample(out, name, labels, counter.total());
}

void append_series(std::string& out, std::string_view name, const std::string& labels, const Gauge& gauge) {
  append_sample(out, name, labels, gauge.value());
}

void append_series(std::string& out, std::string_view name, const std::string& labels, const Histogram& histogram) {
  histogram.append_series(out, name, labels);
}

template <class Metric>
constexpr std::string_view kType = {};
template <>
constexpr std::string_view kType<Counter> = "counter";
template <>
constexpr std::string_view kType<Gauge> = "gauge";
template <>
constexpr std::string_view kType<Histogram> = "histogram";

template <class Metric>
std::unique_ptr<Metric> make(const std::vector<double>& bounds) {
  if constexpr (std::is_same_v<Metric, Histogram>) {
    return std::make_unique<Metric>(bounds);
  } else {
    return std::make_unique<Metric>();
  }
}

}  // namespace

void Counter::follow(uint64_t reported) {
  total_ += reported >= last_reported_ ? reported - last_reported_ : reported;
  last_reported_ = reported;
}

void Histogram::observe(double value) {
  const auto bucket = std::lower_bound(bounds_->begin(), bounds_->end(), value) - bounds_->begin();
  ++counts_[static_cast<size_t>(bucket)];
  sum_ += value;
}

void Histogram::append_series(std::string& out, std::string_view name, const std::string& labels) const {
  uint64_t below = 0;
  const std::string bucket = fmt::format("{}_bucket", name);
  for (size_t i = 0; i < bounds_->size(); ++i) {
    below += counts_[i];
    append_sample(out, bucket, with_label(labels, "le", fmt::format("{}", (*bounds_)[i])), below);
  }
  below += counts_.back();
  append_sample(out, bucket, with_label(labels, "le", "+Inf"), below);
  append_sample(out, fmt::format("{}_sum", name), labels, sum_);
  append_sample(out, fmt::format("{}_count", name), labels, below);
}

void Family::append_header(std::string& out, std::string_view type) const {
  fmt::format_to(std::back_inserter(out), "# HELP {} {}\n# TYPE {} {}\n", text_.name, escaped(text_.help, false),
                 text_.name, type);
}

std::string Family::labels_text(const LabelValues& values) const {
  std::string out;
  for (size_t i = 0; i < values.size(); ++i) out = with_label(out, text_.labels[i], escaped(values[i], true));
  return out;
}

void Family::check(const LabelValues& values, size_t series) const {
  CHECK(values.size() == text_.labels.size());
  CHECK(series <= limits::metric_series_max);
}

template <class Metric>
Metric& SeriesFamily<Metric>::with(LabelValues values) {
  auto& series = series_[values];
  if (!series) {
    check(values, series_.size());
    series = make<Metric>(bounds_);
  }
  return *series;
}

template <class Metric>
void SeriesFamily<Metric>::append_to(std::string& out) const {
  append_header(out, kType<Metric>);
  for (const auto& [values, metric] : series_) append_series(out, text_.name, labels_text(values), *metric);
}

template class SeriesFamily<Counter>;
template class SeriesFamily<Gauge>;
template class SeriesFamily<Histogram>;

template <class F>
F& Registry::add(std::unique_ptr<F> family) {
  F& added = *family;
  families_.push_back(std::move(family));
  return added;
}

Counter& Registry::counter(std::string name, std::string help) {
  return counters(std::move(name), std::move(help), {}).with();
}

CounterFamily& Registry::counters(std::string name, std::string help, std::vector<std::string> labels) {
  return add(std::make_unique<CounterFamily>(MetricText{std::move(name), std::move(help), std::move(labels)}));
}

Gauge& Registry::gauge(std::string name, std::string help) {
  return gauges(std::move(name), std::move(help), {}).with();
}

GaugeFamily& Registry::gauges(std::string name, std::string help, std::vector<std::string> labels) {
  return add(std::make_unique<GaugeFamily>(MetricText{std::move(name), std::move(help), std::move(labels)}));
}

Histogram& Registry::histogram(std::string name, std::string help, std::vector<double> bounds) {
  return histograms(std::move(name), std::move(help), {}, std::move(bounds)).with();
}

HistogramFamily& Registry::histograms(std::string name, std::string help, std::vector<std::string> labels,
                                      std::vector<double> bounds) {
  CHECK(std::is_sorted(bounds.begin(), bounds.end()));
  MetricText text{std::move(name), std::move(help), std::move(labels)};
  return add(std::make_unique<HistogramFamily>(std::move(text), std::move(bounds)));
}

std::string Registry::render() const {
  std::string out;
  for (const auto& family : families_) family->append_to(out);
  return out;
}

}  // namespace sluice::telemetry
