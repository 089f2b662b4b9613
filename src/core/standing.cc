#include "core/standing.h"

#include "base/check.h"

namespace sluice {

std::string_view name_of(Doing doing) {
  switch (doing) {
    case Doing::waiting: return "waiting";
    case Doing::prefill: return "prefill";
    case Doing::decode: return "decode";
    case Doing::preempted: return "preempted";
  }
  UNREACHABLE();
}

std::string_view name_of(WaitsFor waits_for) {
  switch (waits_for) {
    case WaitsFor::nothing: return "nothing";
    case WaitsFor::step: return "step";
    case WaitsFor::lane: return "lane";
    case WaitsFor::class_lanes: return "class_lanes";
    case WaitsFor::room: return "room";
    case WaitsFor::daemon: return "daemon";
  }
  UNREACHABLE();
}

}  // namespace sluice
