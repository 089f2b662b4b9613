// Which class a request has: what it names itself, else what the model name or the key it uses names, and never better
// than its key may have. Refuses to know where a request names it. Thread: any.
#pragma once

#include <optional>

#include "config/api_key.h"

namespace sluice::admission {

struct ClassChoice {
  Class cls = Class::agent;
  bool named = false;  // by anybody
};

ClassChoice choose_class(std::optional<Class> request, std::optional<Class> model_name, const config::ApiKey& key);

}  // namespace sluice::admission
