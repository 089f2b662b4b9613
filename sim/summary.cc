#include "sim/summary.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace sluice::sim {

void Summary::add(const Scenario& scenario, const Figures& f) {
  ++seeds_[scenario.shape];
  total_.steps += f.steps;
  total_.generations += f.generations;
  total_.finished += f.finished;
  total_.failed += f.failed;
  total_.left += f.left;
  total_.refused += f.refused;
  total_.rows += f.rows;
  total_.rows_again += f.rows_again;
  total_.rows_existed += f.rows_existed;
  total_.busy += f.busy;
  total_.moves += f.moves;
  total_.preemptions += f.preemptions;
  total_.exports += f.exports;
  total_.imports += f.imports;
  total_.copies += f.copies;
  for (size_t i = 0; i < f.longest_wait.size(); ++i) {
    total_.longest_wait[i] = std::max(total_.longest_wait[i], f.longest_wait[i]);
  }
  const double moving = f.busy > Duration{} ? to_ms(f.moves) / to_ms(f.busy) : 0;
  if (moving > most_moving_) {
    most_moving_ = moving;
    most_moving_seed_ = scenario.seed;
  }
  if (f.newcomers_beyond > 0 && newcomers_seed_ == 0) newcomers_seed_ = scenario.seed;
  total_.newcomers += f.newcomers;
  total_.newcomers_beyond += f.newcomers_beyond;
  total_.newcomers_worst = std::max(total_.newcomers_worst, f.newcomers_worst);
  total_.fairness_worst = std::max(total_.fairness_worst, f.fairness_worst);
}

std::string Summary::text() const {
  std::ostringstream out;
  out << std::fixed << std::setprecision(1) << "seeds:";
  for (const auto& [shape, count] : seeds_) out << "  " << name_of(shape) << " " << count;
  out << "\ngenerations: " << total_.generations << ", finished " << total_.finished << ", failed " << total_.failed
      << ", left " << total_.left << "; refused " << total_.refused << "\nsteps: " << total_.steps << ", rows "
      << total_.rows << ", again after a fault " << total_.rows_again << ", while a copy was in some sequence "
      << total_.rows_existed << "\npreemptions: " << total_.preemptions << ", exports " << total_.exports
      << ", imports " << total_.imports << ", copies " << total_.copies << "\nmoving KV took "
      << 100 * to_ms(total_.moves) / std::max(to_ms(total_.busy), 1e-9) << " % of the time, at most "
      << 100 * most_moving_ << " % (seed " << most_moving_seed_ << ")\nlongest wait for a row:";
  for (const Class cls : kClasses) {
    out << "  " << sluice::name_of(cls) << " " << to_seconds(total_.longest_wait[static_cast<size_t>(cls)]) << " s";
  }
  out << "\nnewcomers: " << total_.newcomers << ", behind the starved for longer than two chunks "
      << total_.newcomers_beyond << " (seed " << newcomers_seed_ << ")" << "\nof their bounds, at most: newcomers "
      << 100 * total_.newcomers_worst << " %, two keys " << 100 * total_.fairness_worst << " %\n";
  return out.str();
}

}  // namespace sluice::sim
