// One row of a comparison: a server at a URL, or one that is started and ended here. It stays a row when it does not
// start and when it dies. Refuses to know what is measured.
//
// Thread: one. Lifetime: the run's.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/load/target.h"
#include "bench/result/result.h"
#include "bench/server/launch.h"
#include "bench/server/process.h"
#include "bench/wire/loop.h"

namespace sluice::bench {

class Server final {
 public:
  using Planner = std::function<Launch(uint16_t port)>;

  static Server at_url(const config::BenchUrl& url, std::vector<http::Header> headers);
  static Server started(Planner planner, std::vector<http::Header> headers);
  std::optional<Server> another() const;  // of the same kind; absent for a URL

  // Waits until it answers. False: it does not serve, and facts() say why.
  bool start(Loop& loop);
  bool serves();  // still; where it has died, facts() say how
  bool is_running() const { return running_; }
  bool has_failed() const { return facts_.state != RowState::served; }
  void stop();  // one that was started here ends, and can be started again

  bool is_ours() const { return planner_ != nullptr; }
  std::optional<pid_t> pid() const { return pid_; }
  const Target& target() const { return target_; }
  const std::vector<std::string>& models() const { return models_; }
  const RowFacts& facts() const { return facts_; }
  const std::optional<Launch>& launch() const { return launch_; }  // the latest; absent for a URL

 private:
  Server() = default;
  bool await_ready(Loop& loop);
  std::string ask_models(Loop& loop);
  void take_words();
  bool fail_with(RowState state, std::string words);

  void plan();

  Planner planner_;
  std::optional<Launch> launch_;
  std::optional<Process> process_;
  std::optional<pid_t> pid_;  // of the root of its process tree, where it is on this machine
  std::vector<std::string> models_;
  std::string wanted_model_;  // of a URL; empty: whichever it has
  Target target_;
  RowFacts facts_;
  bool running_ = false;
};

}  // namespace sluice::bench
