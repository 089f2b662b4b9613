#include "bench/result/result.h"

#include "base/check.h"

namespace sluice::bench {

std::string_view name_of(RowState state) {
  switch (state) {
    case RowState::served: return "served";
    case RowState::did_not_start: return "did not start";
    case RowState::died: return "died";
  }
  UNREACHABLE();
}

std::string_view name_of(SampleState state) {
  switch (state) {
    case SampleState::warm_up: return "warm-up";
    case SampleState::ok: return "ok";
    case SampleState::disturbed: return "disturbed";
    case SampleState::voided: return "void";
    case SampleState::failed: return "failed";
  }
  UNREACHABLE();
}

std::string_view name_of(Better better) {
  switch (better) {
    case Better::higher: return "higher";
    case Better::lower: return "lower";
    case Better::neither: return "neither";
  }
  UNREACHABLE();
}

}  // namespace sluice::bench
