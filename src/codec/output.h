// Turns the tokens of one running generation into the text its client gets: whole UTF-8 characters, stop strings held
// back until it is known that they do not match. Pieces concatenate to the same text however they are cut.
// Refuses to know lanes and frames. Thread: step.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

class OutputText final {
 public:
  explicit OutputText(std::vector<std::string> stop);

  struct Piece {
    std::string text;                        // ready for the client; may be empty
    std::optional<std::string> stop_string;  // the answer ends here, before this string
  };
  // `bytes` of the next token. After a stop string was found nothing may be added.
  Piece add(std::string_view bytes);
  // The answer ended for another reason: what was held back. A broken character becomes U+FFFD.
  std::string flush();

 private:
  std::string take_whole_characters();
  std::vector<std::string> stop_;
  std::string undecoded_;  // the start of a character whose rest has not come: at most 3 bytes
  std::string held_;       // valid text that may be the start of a stop string
};

}  // namespace sluice
