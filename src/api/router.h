// Finds the handler of a request by method and path, and keeps out who has no key. Refuses to know what handlers do.
// Thread: core. Lifetime: the Api's.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "admission/admission.h"
#include "api/call.h"

namespace sluice::api {

enum class KeyRule : uint8_t {
  needed,  // where keys are set, one of them must come with the request
  open,    // answered to everybody
};

// Whose key a request carries; nobody's where none is needed. Null: none of ours.
using Caller = admission::AccountPtr;

class Router final {
 public:
  // `rest` is what a path that ends in "/*" matched in place of the star.
  using Handler = std::function<void(const CallPtr& call, const Caller& caller, std::string_view rest)>;

  explicit Router(const admission::Admission& admission) : admission_(admission) {}
  void add(http::Method method, std::string path, KeyRule rule, Handler handler);
  void route(const CallPtr& call) const;

 private:
  struct Route {
    http::Method method;
    std::string path;
    KeyRule rule;
    Handler handler;
  };
  struct Found {
    const Route* route = nullptr;  // null: no route, or none with this method
    std::string_view rest;
    std::vector<const Route*> same_path;
  };
  Found find(const http::Request& request) const;
  Caller caller_of(Call& call) const;
  void answer_without_route(Call& call, const Found& found) const;

  const admission::Admission& admission_;
  std::vector<Route> routes_;
};

}  // namespace sluice::api
