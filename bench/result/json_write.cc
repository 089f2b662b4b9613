#include <cmath>
#include <type_traits>

#include "bench/result/describe.h"
#include "bench/result/format.h"
#include "bench/result/json.h"
#include "bench/result/json_text.h"

namespace sluice::bench {
namespace result {
namespace {

// What is left out of a file: what has no value, and numbers that JSON does not know.
bool is_absent(double number) { return !std::isfinite(number); }
bool is_absent(const std::string& text) { return text.empty(); }
bool is_absent(const std::pair<double, uint64_t>& point) { return is_absent(point.first); }
bool is_absent(const Probe& probe) { return is_absent(probe.at_ms) || is_absent(probe.took_ms); }

template <class T>
bool is_absent(const std::optional<T>& some) {
  if constexpr (std::is_same_v<T, double>) return !some || is_absent(*some);
  return !some;
}

template <class T>
bool is_absent(const std::vector<T>& items) {
  return items.empty();
}

template <class T>
bool is_absent(const std::map<std::string, T>& entries) {
  return entries.empty();
}

template <class T>
  requires std::is_integral_v<T> || std::is_enum_v<T> || std::is_class_v<T>
bool is_absent(const T&) {
  return false;
}

// An item with a line of its own, so that a file can be searched line by line.
template <class T>
inline constexpr bool kHasLine =
    std::is_same_v<T, RowFacts> || std::is_same_v<T, CellResult> || std::is_same_v<T, Sample> ||
    std::is_same_v<T, RequestFacts> || std::is_same_v<T, Summary> || std::is_same_v<T, Agreement>;

class Writer final {
 public:
  explicit Writer(std::string& out) : json_(out) {}

  template <class T>
  void field(std::string_view name, const T& field) {
    if (is_absent(field)) return;
    json_.key(name);
    value(field);
  }
  void hex(std::string_view name, uint64_t number) { field(name, hex_text(number)); }

  template <class T>
  void value(const T& described) {
    json_.open('{');
    describe(*this, described);
    json_.close('}');
  }
  void value(double number) { json_.number(number); }
  void value(int number) { json_.integer(number); }
  void value(int64_t number) { json_.integer(number); }
  void value(uint32_t number) { json_.unsigned_integer(number); }
  void value(uint64_t number) { json_.unsigned_integer(number); }
  void value(const std::string& text) { json_.string(text); }
  void value(RowState state) { json_.string(name_of(state)); }
  void value(SampleState state) { json_.string(name_of(state)); }
  void value(Better better) { json_.string(name_of(better)); }
  template <class T>
  void value(const std::optional<T>& some) {
    value(*some);
  }

  void value(const std::pair<double, uint64_t>& point) {
    json_.open('[');
    json_.number(point.first);
    json_.unsigned_integer(point.second);
    json_.close(']');
  }

  void value(const Probe& probe) {
    json_.open('[');
    json_.number(probe.at_ms);
    json_.string(probe.path);
    json_.integer(probe.status);
    json_.number(probe.took_ms);
    json_.close(']');
  }

  template <class T>
  void value(const std::vector<T>& items) {
    json_.open('[');
    for (const T& item : items) {
      if constexpr (!std::is_same_v<T, std::string>) {
        if (is_absent(item)) continue;
      }
      if constexpr (kHasLine<T>) json_.new_line();
      value(item);
    }
    json_.close(']');
  }

  template <class T>
  void value(const std::map<std::string, T>& entries) {
    json_.open('{');
    for (const auto& [name, entry] : entries) field(name, entry);
    json_.close('}');
  }

  void run(const RunResult& run) {
    json_.open('{');
    field("format", std::string(kFormat));
    field("version", kVersion);
    describe(*this, run);
    json_.close('}');
  }

 private:
  JsonText json_;
};

}  // namespace
}  // namespace result

std::string to_json(const RunResult& run) {
  std::string out;
  result::Writer(out).run(run);
  out += '\n';
  return out;
}

}  // namespace sluice::bench
