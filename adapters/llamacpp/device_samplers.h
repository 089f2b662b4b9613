// The library's samplers that choose the likeliest token on the backend that has the logits: one for each sequence that
// wants it. The library plans its graphs anew when one comes or goes, so they stay until another kind of row is asked
// of their sequence. Refuses to know penalties and draws: these are the engine's, whose bytes they decide.
// Thread: step. Lifetime: within the context's.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "adapters/llamacpp/handles.h"
#include "core/core.h"

namespace sluice::llamacpp {

class DeviceSamplers final {
 public:
  DeviceSamplers(llama_context* context, uint32_t sequences);
  ~DeviceSamplers();
  DeviceSamplers(const DeviceSamplers&) = delete;
  DeviceSamplers& operator=(const DeviceSamplers&) = delete;

  // What the next rows of this sequence are wanted for. False: the library takes no sampler here; nothing changed.
  bool choose_likeliest(SequenceId seq, bool wanted);
  // The token chosen for a row of the last call. None: no logit of the row is a number above minus infinity.
  std::optional<Token> chosen(int32_t row) const;

 private:
  llama_context* context_;
  std::vector<SamplerPtr> samplers_;  // by sequence id; null: its logits are read back
};

}  // namespace sluice::llamacpp
