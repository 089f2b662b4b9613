// Reads the fields of a kept object one after the other. The first that is missing or impossible is remembered; what
// follows then does not matter. Refuses to know which fields there are, but for those of a key. Pure. Thread: any.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/time.h"
#include "tuning/key.h"

namespace sluice::tuning {

class Fields final {
 public:
  explicit Fields(const boost::json::object& object) : object_(&object) {}

  std::string text(const char* name);
  bool flag(const char* name);
  int64_t number(const char* name, int64_t least, int64_t most);
  uint32_t count(const char* name, uint32_t least = 0, uint32_t most = UINT32_MAX) {
    return static_cast<uint32_t>(number(name, least, most));
  }
  double real(const char* name);
  Duration us(const char* name) { return std::chrono::microseconds(number(name, 0, UINT32_MAX)); }
  int64_t unix_seconds(const char* name);
  bool has(const char* name) const { return object_->contains(name); }

  // Reads with `read` the object, or each of the objects, of this name.
  template <class Read>
  void object(const char* name, Read read) {
    const boost::json::value* value = object_->if_contains(name);
    if (value && value->is_object()) return within(value->as_object(), read);
    wrong(name);
  }
  template <class Read>
  void objects(const char* name, size_t most, Read read) {
    const boost::json::value* value = object_->if_contains(name);
    if (!value || !value->is_array() || value->as_array().size() > most) return wrong(name);
    for (const boost::json::value& item : value->as_array()) {
      if (!item.is_object()) return wrong(name);
      within(item.as_object(), read);
    }
  }

  void wrong(const char* name);  // as found by whoever reads
  Result<void> verdict() const;  // Error: invalid, which names the first

 private:
  template <class Read>
  void within(const boost::json::object& inner, Read read) {
    const boost::json::object* outer = std::exchange(object_, &inner);
    read();
    object_ = outer;
  }
  const boost::json::object* object_;
  std::string wrong_;
};

boost::json::object object_of(const Key& key);
Key key_in(Fields& fields);

}  // namespace sluice::tuning
