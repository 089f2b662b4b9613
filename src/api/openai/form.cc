#include "api/openai/form.h"

#include "api/json_text.h"
#include "base/check.h"

namespace sluice::api::openai {
namespace {

std::string_view object_name(Endpoint endpoint, bool chunk) {
  switch (endpoint) {
    case Endpoint::chat: return chunk ? "chat.completion.chunk" : "chat.completion";
    case Endpoint::completions: return "text_completion";
  }
  UNREACHABLE();
}

}  // namespace

std::string opening(const ReplyHead& head, bool chunk) {
  std::string out;
  JsonObject object(out);
  object.text("id", head.id)
      .text("object", object_name(head.endpoint, chunk))
      .integer("created", head.created)
      .text("model", head.model)
      .text("system_fingerprint", head.fingerprint);
  return out += ',';
}

}  // namespace sluice::api::openai
