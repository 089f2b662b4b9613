// Turns the tokens of one running generation into the text its client gets: whole UTF-8 characters, stop strings held
// back until it is known that they do not match. Pieces concatenate to the same text however they are cut.
//
// Of several stop strings that one counts whose last byte comes first: the answer ends at the earliest moment at which
// any is complete. Among those that end there, the longest counts. Both depend on the text alone, not on its cuts.
//
// Refuses to know lanes and frames. Thread: step.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

class OutputText final {
 public:
  explicit OutputText(std::vector<std::string> stop);  // each valid UTF-8, none empty

  struct Piece {
    std::string text;                        // ready for the client; may be empty
    std::optional<std::string> stop_string;  // the answer ends here, before this string
  };
  // `bytes` of the next token. After a stop string was found nothing may be added.
  Piece add(std::string_view bytes);
  // The answer ended for another reason: what was held back. A broken character becomes U+FFFD. Empty after a stop
  // string.
  std::string flush();

 private:
  struct Match {
    size_t start = 0;
    const std::string* stop = nullptr;
    size_t end() const { return start + stop->size(); }
  };

  void decode(std::string_view bytes);
  Piece release();
  std::optional<Match> first_match() const;
  size_t bytes_to_hold() const;

  std::vector<std::string> stop_;
  std::string undecoded_;  // the start of a character whose rest has not come: at most 3 bytes
  std::string held_;       // valid text that may be the start of a stop string
  bool stopped_ = false;
};

}  // namespace sluice
