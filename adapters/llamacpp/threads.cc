#include "adapters/llamacpp/threads.h"

#include <fmt/format.h>

#include "ggml-cpu.h"

namespace sluice::llamacpp {

Result<ThreadpoolPtr> make_pool(uint32_t threads) {
  ggml_threadpool_params params{};
  ggml_threadpool_params_init(&params, static_cast<int>(threads));
  params.prio = GGML_SCHED_PRIO_NORMAL;
  params.poll = 0;
  params.strict_cpu = false;
  params.paused = false;
  ThreadpoolPtr pool(ggml_threadpool_new(&params));
  if (!pool) return fail(ErrorCode::fatal, fmt::format("a pool of {} threads could not be made", threads));
  return pool;
}

}  // namespace sluice::llamacpp
