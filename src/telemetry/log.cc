#include "telemetry/log.h"

#include <pthread.h>
#include <spdlog/async.h>
#include <spdlog/async_logger.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace sluice::telemetry {
namespace {

spdlog::level::level_enum spd(LogLevel level) {
  switch (level) {
    case LogLevel::error: return spdlog::level::err;
    case LogLevel::warn: return spdlog::level::warn;
    case LogLevel::info: return spdlog::level::info;
    case LogLevel::debug: return spdlog::level::debug;
  }
  return spdlog::level::info;
}

spdlog::sink_ptr sink_to(std::ostream* out) {
  if (out) return std::make_shared<spdlog::sinks::ostream_sink_st>(*out);  // the log thread is its only writer
  return std::make_shared<spdlog::sinks::stderr_sink_st>();
}

}  // namespace

struct Log::Impl {
  std::shared_ptr<spdlog::details::thread_pool> pool;
  std::shared_ptr<spdlog::async_logger> logger;
};

Log::Log(Options options) : impl_(std::make_unique<Impl>()) {
  impl_->pool = std::make_shared<spdlog::details::thread_pool>(options.queue_lines_max, 1,
                                                               [] { pthread_setname_np(pthread_self(), "log"); });
  impl_->logger = std::make_shared<spdlog::async_logger>("sluice", sink_to(options.out), impl_->pool,
                                                         spdlog::async_overflow_policy::overrun_oldest);
  impl_->logger->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
  impl_->logger->set_level(spd(options.level));
  impl_->logger->flush_on(spdlog::level::warn);
}

// The pool's thread writes what waits before it ends.
Log::~Log() = default;

void Log::write(LogLevel level, std::string_view line) {
  impl_->logger->log(spd(level), spdlog::string_view_t(line.data(), line.size()));
}

uint64_t Log::lost_lines() const { return impl_->pool->overrun_counter(); }

}  // namespace sluice::telemetry
