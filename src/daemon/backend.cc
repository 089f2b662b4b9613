#include "daemon/backend.h"

#include <chrono>

#include "base/build.h"
#include "base/check.h"
#include "daemon/live_view.h"
#include "daemon/machine.h"

namespace sluice::daemon {

using supervisor::WorkerState;

namespace {

std::vector<api::ModelAlias> aliases_of(const config::ServeOptions& options) {
  std::vector<api::ModelAlias> aliases;
  for (const config::Alias& alias : options.aliases) aliases.push_back({alias.name, alias.cls});
  return aliases;
}

}  // namespace

Backend::Backend(ModelHost& host, const Drain& drain, Figures& figures, const config::ServeOptions& options,
                 std::function<void()> changed)
    : host_(host),
      drain_(drain),
      figures_(figures),
      changed_(std::move(changed)),
      model_{.id = options.name,
             .aliases = aliases_of(options),
             .created = modification_time(options.model_path),
             .max_tokens = options.max_tokens,
             .fingerprint = "sluice-" + build_id(),
             .shape = std::nullopt},
      lanes_(options.load.lanes) {}

void Backend::on_planned(const VocabularyFacts& facts, uint32_t window) {
  model_.shape = api::ModelShape{.window = window, .vocabulary = facts.vocabulary};
}

void Backend::on_serving() { model_.fingerprint += "-" + host_.worker()->report().runtime_version; }

void Backend::render(std::vector<ChatMessage> messages, bool add_generation_prompt, PromptCallback done) {
  host_.codec().render(std::move(messages), add_generation_prompt, std::move(done));
}

void Backend::tokenize(std::string text, bool add_special, bool parse_special, PromptCallback done) {
  host_.codec().tokenize(std::move(text), add_special, parse_special, std::move(done));
}

Result<GenerationId> Backend::start(GenerationSpec spec, Listener listener) {
  changed_();
  const TimePoint submitted = now();
  auto told = [this, cls = spec.cls, submitted, listener = std::move(listener)](const api::Fact& fact) {
    figures_.observe(fact, cls, submitted, now());
    listener(fact);
  };
  return host_.generations().start(std::move(spec), submitted, std::move(told));
}

void Backend::cancel(GenerationId id) {
  host_.generations().cancel(id);
  changed_();
}

api::Readiness Backend::readiness() const {
  if (drain_.state() != DrainState::serving) return api::Readiness::draining;
  switch (host_.state()) {
    case HostState::opening:
    case HostState::loading: return api::Readiness::loading;
    case HostState::failed: return api::Readiness::failed;
    case HostState::serving: break;
  }
  switch (host_.worker()->state()) {
    case WorkerState::ready: return api::Readiness::ready;
    case WorkerState::starting:
    case WorkerState::loading:
    case WorkerState::backing_off: return api::Readiness::loading;
    case WorkerState::stopped:
    case WorkerState::draining:
    case WorkerState::failed: return api::Readiness::failed;
  }
  UNREACHABLE();
}

api::StatusSnapshot Backend::status() const {
  api::StatusSnapshot snapshot;
  snapshot.readiness = readiness();
  snapshot.lanes = lanes_;
  figures_.fill(snapshot, now());
  return snapshot;
}

void Backend::look(ViewCallback done) {
  host_.look([this, done = std::move(done)](const Word& word) {
    api::LiveView view = live_view(host_.generations(), word, now());
    view.lanes = lanes_;
    view.window = model_.shape ? model_.shape->window : 0;
    done(view);
  });
}

std::string Backend::metrics_text() { return figures_.metrics_text(now()); }

int64_t Backend::unix_seconds() const { return sluice::unix_seconds(); }

uint64_t Backend::random() {
  constexpr int kHalf = 32;  // bits of one draw
  const uint64_t high = entropy_();
  return high << kHalf | entropy_();
}

}  // namespace sluice::daemon
