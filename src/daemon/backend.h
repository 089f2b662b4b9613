// The daemon as the api sees it: one model host behind the api's interface. Refuses to know HTTP and JSON.
//
// Thread: core. Lifetime: the daemon's.
#pragma once

#include <functional>
#include <random>
#include <string>

#include "api/backend.h"
#include "daemon/drain.h"
#include "daemon/figures.h"
#include "daemon/model_host.h"

namespace sluice::daemon {

class Backend final : public api::Backend {
 public:
  // `changed` is told when a generation came or went; it must not call back from within.
  Backend(ModelHost& host, const Drain& drain, Figures& figures, const config::ServeOptions& options,
          std::function<void()> changed);

  void on_planned(const VocabularyFacts& facts, uint32_t window);
  void on_serving();

  const api::ModelFacts& model() const override { return model_; }
  void render(std::vector<ChatMessage> messages, bool add_generation_prompt, PromptCallback done) override;
  void tokenize(std::string text, bool add_special, bool parse_special, PromptCallback done) override;
  Result<GenerationId> start(GenerationSpec spec, Listener listener) override;
  void cancel(GenerationId id) override;
  void wait_on(GenerationId id) override { host_.generations().wait_on(id); }
  api::StatusSnapshot status() const override;
  std::string metrics_text() override;
  void look(ViewCallback done) override;
  TimePoint now() const override { return Clock::now(); }
  int64_t unix_seconds() const override;
  uint64_t random() override;

 private:
  api::Readiness readiness() const;

  ModelHost& host_;
  const Drain& drain_;
  Figures& figures_;
  std::function<void()> changed_;
  api::ModelFacts model_;
  uint32_t lanes_;
  std::random_device entropy_;
};

}  // namespace sluice::daemon
