// Where a value lies on an axis, and which values deserve a mark there. Refuses to know drawing. Thread: any (values).
// Internal to bench/report.
#pragma once

#include <string>
#include <vector>

namespace sluice::bench::report {

class Scale final {
 public:
  // From 0 (or less) to a round number at or above `high`; `from` and `to` are coordinates.
  static Scale from_zero(double low, double high, double from, double to, int marks = 5);
  // From 0 to `high` itself, with marks at round numbers.
  static Scale up_to(double high, double from, double to, int marks = 5);
  // From `low` to `high`, logarithmic; both are positive.
  static Scale logarithmic(double low, double high, double from, double to);

  double at(double value) const;
  const std::vector<double>& marks() const { return marks_; }
  bool is_logarithmic() const { return logarithmic_; }

 private:
  double low_ = 0, high_ = 1, from_ = 0, to_ = 1;
  bool logarithmic_ = false;
  std::vector<double> marks_;
};

// The text of a mark: as many decimals as its neighbours need.
std::string mark_text(const Scale& scale, double mark);

}  // namespace sluice::bench::report
