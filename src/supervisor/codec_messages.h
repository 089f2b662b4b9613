// Calls of a codec as messages, and its answers as values. Error: protocol (a value outside its range). Pure.
// Thread: any.
#pragma once

#include <string>
#include <vector>

#include "codec/codec.h"
#include "core/core.h"
#include "proto/sluice.pb.h"

namespace sluice::supervisor {

// `call` is the caller's to set.
proto::ToCodec open_message(const std::string& model_path);
proto::ToCodec render_message(const std::vector<ChatMessage>& messages, bool add_generation_prompt);
proto::ToCodec tokenize_message(std::string text, bool add_special, bool parse_special);

Result<VocabularyFacts> facts_of(const proto::VocabularyReady& ready);
Result<std::vector<Token>> tokens_of(const proto::Prompt& prompt, const VocabularyFacts& facts);

}  // namespace sluice::supervisor
