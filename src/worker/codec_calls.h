// One call to a codec becomes one answer. OpenVocabulary comes first, and once. Refuses to know sockets.
// Thread: the codec process's only one.
#pragma once

#include "proto/sluice.pb.h"
#include "worker/adapter.h"

namespace sluice::worker {

class CodecCalls final {
 public:
  explicit CodecCalls(const Adapter& adapter) : adapter_(adapter) {}

  // What goes wrong in a call is its answer; an error is a call that the protocol does not allow.
  Result<proto::FromCodec> answer(const proto::ToCodec& call);

 private:
  Result<void> check_order(const proto::ToCodec& call) const;
  Result<proto::VocabularyReady> open(const proto::OpenVocabulary& call);
  Result<proto::Prompt> render(const proto::Render& call);
  Result<proto::Prompt> tokenize(const proto::Tokenize& call);
  Result<proto::Text> detokenize(const proto::Detokenize& call);

  const Adapter& adapter_;
  std::unique_ptr<Codec> codec_;
};

}  // namespace sluice::worker
