// Logits that read as text: printable ASCII, now and then a character of two, three or four UTF-8 bytes, whose bytes
// follow each other; seldom the end token. Refuses to know what the text means. Thread: any.
#pragma once

#include "runtime/fake_runtime.h"

namespace sluice::fake {

// The end token is chosen about once in `end_every` tokens.
LogitsRule text_logits(uint32_t end_every);

}  // namespace sluice::fake
