#include "worker/worker_role.h"

#include <pthread.h>

#include <cstdio>

#include "worker/exit_codes.h"
#include "worker/hello.h"
#include "worker/loading.h"
#include "worker/ready.h"
#include "worker/step_loop.h"

namespace sluice::worker {
namespace {

void say_hello(Link& link, const Adapter& adapter) {
  proto::FromWorker message;
  *message.mutable_hello() = hello_message(adapter, "worker");
  link.send(message);
}

void say_ready(Link& link, proto::Ready ready) {
  proto::FromWorker message;
  *message.mutable_ready() = std::move(ready);
  link.send(message);
}

int refuse_to_load(Link& link, const Error& error) {
  proto::FromWorker message;
  *message.mutable_load_failed() = proto::to_message(error);
  link.send(message);
  link.flush();
  std::fprintf(stderr, "worker: cannot load: %s\n", error.message.c_str());
  return kExitLoadFailed;
}

int protocol_error(const std::string& message) {
  std::fprintf(stderr, "worker: protocol error: %s\n", message.c_str());
  return kExitProtocol;
}

struct FirstLetters {
  std::optional<LoadOptions> load;  // absent: `exit_code` says how it ends
  std::vector<Letter> rest;         // came behind Load
  int exit_code = kExitEnded;
};

FirstLetters wait_for_load(Inbox& inbox) {
  Delivery delivery = inbox.wait();
  if (delivery.ending) {
    const auto& error = delivery.ending->error;
    return {{}, {}, error ? protocol_error(error->message) : kExitEnded};
  }
  std::vector<Letter>& letters = delivery.letters;
  if (std::holds_alternative<DrainLetter>(letters.front())) return {};
  const auto* load = std::get_if<LoadOptions>(&letters.front());
  if (!load) return {{}, {}, protocol_error("the first frame to a worker must be Load")};
  return {*load, {std::make_move_iterator(letters.begin() + 1), std::make_move_iterator(letters.end())}, kExitEnded};
}

}  // namespace

int run_worker(int socket, const Adapter& adapter, std::function<void()> on_stuck) {
  ::pthread_setname_np(::pthread_self(), "step");
  LoadedModel model;  // outlives the link, whose thread may abort its step
  Link link(socket, std::move(on_stuck));
  say_hello(link, adapter);

  FirstLetters first = wait_for_load(link.inbox());
  if (!first.load) return first.exit_code;
  const TimePoint begun = Clock::now();
  auto loaded = load_model(adapter, *first.load, link);
  if (!loaded) return refuse_to_load(link, loaded.error());
  model = *std::move(loaded);
  auto config = engine_config(*first.load, model.runtime->capabilities());
  if (!config) return refuse_to_load(link, config.error());

  link.when_lost([runtime = model.runtime.get()] { runtime->abort_step(); });
  say_ready(link, ready_message(*config, model, Clock::now() - begun));
  StepLoop loop(link, *model.runtime, *model.token_bytes, *std::move(config));
  return loop.run(std::move(first.rest));
}

}  // namespace sluice::worker
