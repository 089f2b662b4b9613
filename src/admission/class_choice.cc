#include "admission/class_choice.h"

#include <algorithm>

namespace sluice::admission {

ClassChoice choose_class(std::optional<Class> request, std::optional<Class> model_name, const config::ApiKey& key) {
  const std::optional<Class> named = request ? request : model_name ? model_name : key.cls;
  return {std::max(named.value_or(Class::agent), key.max_class), named.has_value()};
}

}  // namespace sluice::admission
