#include <cstdlib>

#include "base/error.h"
#include "supervisor/test_child.h"

namespace sluice::supervisor::test_child {
namespace {

void fail_call(proto::FromCodec& answer, ErrorCode code, const std::string& words) {
  answer.mutable_failure()->set_code(static_cast<uint32_t>(code));
  answer.mutable_failure()->set_message(words);
}

void open_vocabulary(const Script& script, const proto::OpenVocabulary& open, proto::FromCodec& answer) {
  if (script.is("open-fails") || (script.is("open-fails-second") && script.start == 2)) {
    return fail_call(answer, ErrorCode::invalid, "no model at " + open.model_path());
  }
  answer.mutable_ready()->set_model_name("test model");
  answer.mutable_ready()->set_vocabulary(script.is("no-vocabulary") ? 0 : 256);
  answer.mutable_ready()->set_trained_window(4096);
  answer.mutable_ready()->set_has_chat_template(true);
}

// A text is an order to this child; any other is a prompt of one token a byte.
void obey(const Script& script, const std::string& text, proto::FromCodec& answer) {
  const bool first = script.start == 1;
  if (text == "die" || (text == "die-first" && first)) {
    say("dies of a call");
    std::abort();
  }
  if (text == "hang" || (text == "hang-first" && first)) hang();
  if (text == "fail") return fail_call(answer, ErrorCode::invalid, "a bad text");
  if (text == "other-call-first" && first) answer.set_call(answer.call() + 1);
  if (text == "outside-first" && first) answer.mutable_prompt()->add_tokens(256);
  for (const char c : text) answer.mutable_prompt()->add_tokens(static_cast<unsigned char>(c));
}

}  // namespace

int run_codec(const Script& script) {
  Link link;
  if (script.is("never-hello") || script.is("exit-at-once")) misbehave(script, link);
  proto::FromCodec greeting;
  *greeting.mutable_hello() = hello_of(script);
  link.send(greeting);
  misbehave(script, link);
  for (;;) {
    proto::ToCodec call;
    if (!call.ParseFromString(link.read())) std::abort();
    proto::FromCodec answer;
    answer.set_call(call.call());
    if (call.has_open()) open_vocabulary(script, call.open(), answer);
    if (call.has_tokenize()) obey(script, call.tokenize().text(), answer);
    if (call.has_render()) obey(script, call.render().messages(0).content(), answer);
    link.send(answer);
  }
}

}  // namespace sluice::supervisor::test_child
