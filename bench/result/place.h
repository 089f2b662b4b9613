// Where in a result a reader stands: "cells[3].samples[0].sent_ms". Steps are views and indices; words are made only
// when something is wrong there. Refuses to know what is read. Thread: any one at a time. Internal to bench/result.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sluice::bench::result {

class Place final {
 public:
  // One step down, for as long as this lives. A name must outlive it.
  class Step final {
   public:
    Step(Place& place, std::string_view name) : place_(place) { place_.steps_.emplace_back(name); }
    Step(Place& place, size_t index) : place_(place) { place_.steps_.emplace_back(index); }
    ~Step() { place_.steps_.pop_back(); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    Place& place_;
  };

  std::string text() const;

 private:
  std::vector<std::variant<std::string_view, size_t>> steps_;
};

}  // namespace sluice::bench::result
