// Runs one request: its prompts are made by the codec, its generations started, their facts worded by the dialect and
// sent. 200 goes out with the first words; an error before that has its own status, one after it ends the stream. A
// client that leaves cancels everything, in every state. What fails before it has a lane costs its key no tokens.
// Refuses to know dialects, processes and who may ask.
//
// Thread: core. Lifetime: what it waits for holds it (the codec's callbacks, then the generations' listeners).
#pragma once

#include <memory>
#include <vector>

#include "admission/place.h"
#include "api/answer_figures.h"
#include "api/answer_form.h"
#include "api/backend.h"
#include "api/call.h"

namespace sluice::api {

enum class AnswerState : uint8_t {
  preparing,  // the codec makes the prompts
  submitted,  // generations are started; a stream has no head yet
  answering,  // a stream has its head: all are accepted, and one has said something
  ended,      // answered, failed, or the client is gone
};
std::string_view name_of(AnswerState state);
bool may_follow(AnswerState from, AnswerState to);

class Answer final : public std::enable_shared_from_this<Answer> {
 public:
  static void begin(Backend& backend, CallPtr call, Wish wish, std::unique_ptr<AnswerForm> form,
                    admission::Place place);

  Answer(Backend& backend, CallPtr call, Wish wish, std::unique_ptr<AnswerForm> form, admission::Place place);

 private:
  struct Part {  // one generation
    GenerationId id;
    bool accepted = false;
    PartFigures figures;
    AnswerChoice choice;  // in a reply of one piece
  };

  void enter(AnswerState next);
  void prepare();
  void prepare(size_t prompt);
  void on_prompt(size_t prompt, Result<std::vector<Token>> tokens);
  Result<void> check_prompt(const std::vector<Token>& tokens) const;
  void submit();
  std::optional<Duration> time_left() const;
  GenerationSpec common_spec(std::optional<Duration> left);
  Result<void> start_part(size_t index, GenerationSpec spec);
  uint32_t max_tokens_for(size_t prompt_tokens) const;

  void on_fact(size_t index, const Fact& fact);
  void on(size_t index, const Accepted& accepted);
  void on(size_t index, const Started& started);
  void on(size_t index, const Output& output);
  void on(size_t index, const Finished& finished);
  void on(size_t index, const Failed& failed);
  void send(std::string bytes);
  void begin_stream_if_all_are_in();
  void finish();
  void fail_with(Error error);
  void fail_late();  // its time is over, and nothing of it has begun
  void on_gone();
  void cancel_all();

  Usage note_figures();

  Backend& backend_;
  CallPtr call_;
  const Wish wish_;
  const std::unique_ptr<AnswerForm> form_;
  admission::Place place_;
  AnswerState state_ = AnswerState::preparing;
  std::vector<std::vector<Token>> prompts_;
  size_t prompts_ready_ = 0;
  std::vector<Part> parts_;
  bool begun_ = false;  // one has a lane
  std::string held_;    // of a stream whose head waits for the last Accepted: bounded by what one step can say early
};

}  // namespace sluice::api
