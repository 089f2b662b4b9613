#include "api/answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"

namespace sluice::api {

std::string_view name_of(AnswerState state) {
  switch (state) {
    case AnswerState::preparing: return "preparing";
    case AnswerState::submitted: return "submitted";
    case AnswerState::answering: return "answering";
    case AnswerState::ended: return "ended";
  }
  UNREACHABLE();
}

bool may_follow(AnswerState from, AnswerState to) {
  switch (from) {
    case AnswerState::preparing: return to == AnswerState::submitted || to == AnswerState::ended;
    case AnswerState::submitted: return to == AnswerState::answering || to == AnswerState::ended;
    case AnswerState::answering: return to == AnswerState::ended;
    case AnswerState::ended: return false;
  }
  UNREACHABLE();
}

namespace {

bool is_over(std::optional<Duration> left) { return left && *left <= Duration{}; }

}  // namespace

void Answer::begin(Backend& backend, CallPtr call, Wish wish, std::unique_ptr<AnswerForm> form,
                   admission::Place place) {
  const auto answer =
      std::make_shared<Answer>(backend, std::move(call), std::move(wish), std::move(form), std::move(place));
  // Weak: the exchange would else keep the answer that keeps the exchange.
  answer->call_->exchange().on_gone([weak = answer->weak_from_this()] {
    if (const auto self = weak.lock()) self->on_gone();
  });
  answer->prepare();
}

Answer::Answer(Backend& backend, CallPtr call, Wish wish, std::unique_ptr<AnswerForm> form, admission::Place place)
    : backend_(backend),
      call_(std::move(call)),
      wish_(std::move(wish)),
      form_(std::move(form)),
      place_(std::move(place)),
      prompts_(wish_.prompts.size()),
      parts_(wish_.prompts.size() * wish_.n) {
  CHECK(!parts_.empty());
}

void Answer::enter(AnswerState next) {
  CHECK(may_follow(state_, next));
  state_ = next;
}

// ---- prompts --------------------------------------------------------------------------------------------------------

void Answer::prepare() {
  const auto self = shared_from_this();  // a prompt of tokens is ready at once, and may fail at once
  for (size_t i = 0; i < prompts_.size() && state_ == AnswerState::preparing; ++i) prepare(i);
}

void Answer::prepare(size_t prompt) {
  const Prompt& source = wish_.prompts[prompt];
  if (const auto* tokens = std::get_if<std::vector<Token>>(&source)) return on_prompt(prompt, *tokens);
  auto done = [self = shared_from_this(), prompt](Result<std::vector<Token>> tokens) {
    self->on_prompt(prompt, std::move(tokens));
  };
  if (const auto* text = std::get_if<std::string>(&source)) {
    return backend_.tokenize(*text, true, true, std::move(done));
  }
  backend_.render(std::get<Conversation>(source), true, std::move(done));
}

void Answer::on_prompt(size_t prompt, Result<std::vector<Token>> tokens) {
  if (state_ == AnswerState::ended) return;
  if (!tokens) return fail_with(std::move(tokens.error()));
  if (const auto fits = check_prompt(*tokens); !fits) return fail_with(fits.error());
  if (auto paid = place_.spend_prompt(tokens->size(), backend_.now()); !paid) return fail_with(std::move(paid.error()));
  prompts_[prompt] = std::move(*tokens);
  if (++prompts_ready_ == prompts_.size()) submit();
}

Result<void> Answer::check_prompt(const std::vector<Token>& tokens) const {
  const auto& shape = backend_.model().shape;
  if (!shape) return fail(ErrorCode::unavailable, "the model is being opened; the same request works later");
  if (tokens.empty()) return fail(ErrorCode::invalid, "the prompt has no tokens", wish_.prompt_field);
  if (tokens.size() < shape->window) return {};
  return fail(
      ErrorCode::context_length,
      fmt::format("the prompt has {} tokens, and the context window, which prompt and answer share, is {} tokens; "
                  "shorten the prompt, or serve with a larger --context",
                  tokens.size(), shape->window),
      wish_.prompt_field);
}

// ---- generations ----------------------------------------------------------------------------------------------------

void Answer::submit() {
  const std::optional<Duration> left = time_left();
  if (is_over(left)) return fail_late();
  enter(AnswerState::submitted);
  const GenerationSpec common = common_spec(left);
  for (size_t i = 0; i < parts_.size(); ++i) {
    if (auto started = start_part(i, common); !started) return fail_with(std::move(started.error()));
  }
  prompts_.clear();
}

// Absent: it may take as long as it takes.
std::optional<Duration> Answer::time_left() const {
  if (!wish_.time) return std::nullopt;
  return call_->request().received + *wish_.time - backend_.now();
}

GenerationSpec Answer::common_spec(std::optional<Duration> left) {
  GenerationSpec spec;
  spec.sampling = wish_.sampling;
  spec.sampling.seed = wish_.seed ? *wish_.seed : backend_.random();
  spec.ignore_eos = wish_.ignore_eos;
  spec.stop = wish_.stop;
  spec.cls = wish_.cls;
  spec.class_named = wish_.class_named;
  spec.key = place_.key();
  spec.session = wish_.session;
  spec.time_left = left;
  return spec;
}

Result<void> Answer::start_part(size_t index, GenerationSpec spec) {
  const std::vector<Token>& prompt = prompts_[index / wish_.n];
  spec.prompt = prompt;
  spec.choice = static_cast<uint32_t>(index % wish_.n);
  spec.max_tokens = max_tokens_for(prompt.size());
  spec.refuse_late = index == 0;  // once it begins the request is served, and the others may wait
  const auto started = backend_.start(
      std::move(spec), [self = shared_from_this(), index](const Fact& fact) { self->on_fact(index, fact); });
  if (!started) return std::unexpected(started.error());
  parts_[index].id = *started;
  parts_[index].figures.prompt_tokens = static_cast<uint32_t>(prompt.size());
  return {};
}

// The window ends an answer before max_tokens does, as compatible servers have it: finish_reason says "length".
uint32_t Answer::max_tokens_for(size_t prompt_tokens) const {
  const ModelFacts& model = backend_.model();
  const auto rest = model.shape->window - static_cast<uint32_t>(prompt_tokens);
  return std::min(wish_.max_tokens.value_or(model.max_tokens.value_or(rest)), rest);
}

// ---- facts ----------------------------------------------------------------------------------------------------------

void Answer::on_fact(size_t index, const Fact& fact) {
  if (state_ == AnswerState::ended) return;
  const auto self = shared_from_this();  // ending cancels, and with it drops the listener that runs here
  std::visit([&](const auto& one) { on(index, one); }, fact);
}

void Answer::on(size_t index, const Accepted&) {
  parts_[index].accepted = true;
  begin_stream_if_all_are_in();
}

// Once one has a lane the request is served: the others are not taken back, however long they wait for theirs.
void Answer::on(size_t index, const Started& started) {
  parts_[index].figures.cached_tokens = started.cached_tokens;
  if (std::exchange(begun_, true)) return;
  for (const Part& part : parts_) backend_.wait_on(part.id);
}

void Answer::on(size_t index, const Output& output) {
  Part& part = parts_[index];
  part.figures.tokens += static_cast<uint32_t>(output.tokens.size());
  place_.spend_answer(output.tokens.size(), backend_.now());
  auto& first_token = call_->entry().first_token;
  if (!first_token && !output.tokens.empty()) first_token = backend_.now() - call_->request().received;
  if (wish_.stream) return send(form_->output(static_cast<uint32_t>(index), output));
  part.choice.text += output.text;
  part.choice.logprobs.insert(part.choice.logprobs.end(), output.logprobs.begin(), output.logprobs.end());
}

void Answer::on(size_t index, const Finished& finished) {
  if (!begun_ && finished.reason == FinishReason::deadline) return fail_late();
  place_.leave(1);
  parts_[index].figures.finished = finished;
  parts_[index].choice.finished = finished;
  if (wish_.stream) send(form_->finished(static_cast<uint32_t>(index), finished));
  const bool all =
      std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.figures.finished.has_value(); });
  if (all && state_ != AnswerState::ended) finish();
}

// A time that is not over is too short: the worker refuses it at once.
void Answer::on(size_t, const Failed& failed) {
  call_->entry().late = failed.error.code == ErrorCode::timed_out && is_over(time_left());
  fail_with(failed.error);
}

void Answer::send(std::string bytes) {
  if (bytes.empty()) return;
  if (state_ == AnswerState::answering) return call_->exchange().write(std::move(bytes));
  held_ += bytes;
  begin_stream_if_all_are_in();
}

void Answer::begin_stream_if_all_are_in() {
  if (state_ != AnswerState::submitted || held_.empty()) return;
  if (!std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.accepted; })) return;
  enter(AnswerState::answering);
  call_->begin_stream("text/event-stream", {{"Cache-Control", "no-cache"}, {"X-Accel-Buffering", "no"}});
  call_->exchange().write(std::exchange(held_, {}));
}

// ---- ends -----------------------------------------------------------------------------------------------------------

void Answer::finish() {
  const Usage usage = note_figures();
  if (wish_.stream) {
    send(form_->end(usage));
    enter(AnswerState::ended);
    call_->exchange().end_stream();
    return call_->log(200);
  }
  enter(AnswerState::ended);
  std::vector<AnswerChoice> choices;
  for (Part& part : parts_) choices.push_back(std::move(part.choice));
  call_->reply({200, {}, "application/json", form_->whole(choices, usage)});
}

void Answer::fail_with(Error error) {
  const bool stream_begun = state_ == AnswerState::answering;
  note_figures();
  call_->entry().error_code = name_of(error.code);
  if (!begun_) place_.give_back_prompts(backend_.now());
  if (stream_begun) send(form_->failed(error));
  enter(AnswerState::ended);
  cancel_all();
  if (!stream_begun) return call_->reply(form_->refusal(error));
  call_->exchange().end_stream();
  call_->log(200);
}

void Answer::fail_late() {
  call_->entry().late = true;
  fail_with({ErrorCode::timed_out, "the time that the request gives its answer was over before it began", {}});
}

void Answer::on_gone() {
  if (state_ == AnswerState::ended) return;
  note_figures();
  call_->entry().error_code = name_of(ErrorCode::cancelled);
  enter(AnswerState::ended);
  cancel_all();
  call_->log(kClientClosedRequest);
}

void Answer::cancel_all() {
  place_ = {};
  for (const Part& part : parts_) {
    if (part.id != GenerationId{} && !part.figures.finished) backend_.cancel(part.id);
  }
}

Usage Answer::note_figures() {
  std::vector<PartFigures> figures;
  for (const Part& part : parts_) figures.push_back(part.figures);
  return fill(call_->entry(), figures, wish_.n);
}

}  // namespace sluice::api
