#include "adapters/llamacpp/kv_snapshot.h"

#include <fmt/format.h>

#include <cstring>

#include "base/check.h"
#include "llama-context.h"
#include "llama.h"

namespace sluice::llamacpp {
namespace {

// Before the library's bytes. It finds no error in them itself, and would read past their end.
struct Header {
  uint64_t magic = 0x314b656369756c73;  // "sluiceK1"
  uint64_t bytes = 0;                   // behind this header
  Position tokens = 0;
  uint32_t unused = 0;
};

// Copies between sequences wait until the library next computes; what they will write must not be read before, nor
// written over what is imported now.
void settle_copies(llama_context* context) { context->memory_update(false); }

bool is_whole(const Snapshot& snapshot) {
  const Header wanted;
  Header found;
  if (snapshot.bytes.size() < sizeof found) return false;
  std::memcpy(&found, snapshot.bytes.data(), sizeof found);
  return found.magic == wanted.magic && found.bytes == snapshot.bytes.size() - sizeof found &&
         found.tokens == snapshot.tokens && found.tokens > 0;
}

}  // namespace

bool keeps_every_cell(MemoryKind kind) { return kind == MemoryKind::plain; }

Result<Snapshot> export_sequence(llama_context* context, SequenceId seq, Position upto) {
  settle_copies(context);
  const Header header{.bytes = llama_state_seq_get_size(context, seq.raw), .tokens = upto};
  Snapshot snapshot{upto, {}};
  try {
    snapshot.bytes.resize(sizeof header + header.bytes);
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::capacity, fmt::format("no memory for the KV of {} tokens, {} bytes", upto, header.bytes));
  }
  std::memcpy(snapshot.bytes.data(), &header, sizeof header);
  auto* to = reinterpret_cast<uint8_t*>(snapshot.bytes.data() + sizeof header);
  const size_t written = llama_state_seq_get_data(context, to, header.bytes, seq.raw);
  if (written == header.bytes) return snapshot;
  return fail(ErrorCode::fatal, fmt::format("llama.cpp wrote {} of {} bytes of a sequence", written, header.bytes));
}

Result<void> import_sequence(llama_context* context, SequenceId seq, const Snapshot& snapshot) {
  if (!is_whole(snapshot)) return fail(ErrorCode::invalid, "these bytes are not an exported sequence");
  settle_copies(context);
  const auto bytes = std::span(snapshot.bytes).subspan(sizeof(Header));
  const auto* from = reinterpret_cast<const uint8_t*>(bytes.data());
  if (llama_state_seq_set_data(context, from, bytes.size(), seq.raw) == bytes.size()) return {};
  CHECK(llama_memory_seq_rm(llama_get_memory(context), seq.raw, -1, -1));
  return fail(ErrorCode::fault, fmt::format("llama.cpp could not import {} tokens", snapshot.tokens));
}

}  // namespace sluice::llamacpp
