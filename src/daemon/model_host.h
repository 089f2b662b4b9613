// The one model that is served: its codec and worker processes and its generations, from the first start on. Decides in
// which order they start and what a state of the worker means to generations. Refuses to know HTTP and signals.
//
// Thread: core. Lifetime: the daemon's.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "codec/codec.h"
#include "config/options.h"
#include "daemon/cost_keeper.h"
#include "daemon/tuning_keeper.h"
#include "generation/generations.h"
#include "supervisor/codec_client.h"
#include "supervisor/worker_client.h"
#include "telemetry/log.h"

namespace sluice::daemon {

enum class HostState : uint8_t {
  opening,  // the codec reads the vocabulary
  loading,  // the worker loads the weights, for the first time
  serving,  // it was ready once; later deaths are the supervisor's and the generations'
  failed,   // it never was, and will not be
};
std::string_view name_of(HostState state);
bool may_follow(HostState from, HostState to);

class ModelHost final {
 public:
  struct Events {
    std::function<void(const VocabularyFacts&, uint32_t window)> on_planned;
    std::function<void()> on_serving;
    std::function<void(const Error&, int exit_code)> on_failed;
    std::function<void()> on_progress;  // generations may have ended, or deadlines changed
  };

  ModelHost(boost::asio::io_context& core, config::ServeOptions options, std::string executable, telemetry::Log& log,
            Events events);
  ~ModelHost();
  void start();
  void stop();  // kills both processes, and writes what is left to be

  HostState state() const { return state_; }
  supervisor::CodecClient& codec() { return codec_; }
  const supervisor::CodecClient& codec() const { return codec_; }
  const supervisor::WorkerClient* worker() const { return worker_ ? &*worker_ : nullptr; }  // none while opening
  void look(supervisor::WorkerClient::LookDone done);  // as WorkerClient::look; at once while opening
  generation::Generations& generations() { return generations_; }
  const generation::Generations& generations() const { return generations_; }

 private:
  // Submits to the worker of the moment.
  class Port final : public generation::WorkerPort {
   public:
    explicit Port(ModelHost& host) : host_(host) {}
    bool ready() const override;
    void submit(GenerationId id, const GenerationSpec& spec) override;
    void cancel(GenerationId id) override;

   private:
    ModelHost& host_;
  };

  void on_vocabulary(Result<VocabularyFacts> facts);
  Result<uint32_t> planned_window(const VocabularyFacts& facts);
  supervisor::WorkerClient::Options worker_options(LoadOptions load);
  supervisor::WorkerClient::Events worker_events();
  void start_worker(uint32_t window);
  void on_worker_state(supervisor::WorkerState state);
  void tell_report();
  void on_worker_lost(const Error& death);
  void on_loading(float progress);
  void fail_start(const Error& cause, int exit_code);
  void enter(HostState next);

  boost::asio::io_context& core_;
  config::ServeOptions options_;
  std::string executable_;
  telemetry::Log& log_;
  Events events_;
  HostState state_ = HostState::opening;
  Port port_{*this};
  generation::Generations generations_{port_, options_.queue.time};
  TuningKeeper tuning_;
  CostKeeper costs_;
  supervisor::CodecClient codec_;
  std::optional<supervisor::WorkerClient> worker_;
  TimePoint progress_logged_{};
};

}  // namespace sluice::daemon
