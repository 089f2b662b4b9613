// sluice-bare-loop MODEL LANES WINDOW: loads the model, says "ready", and answers each line of its input
//   MOVES SEED TEMPERATURE TOKENS ID...        MOVES is none, copied or imported
// with a line
//   FIRST_MS TOTAL_MS BYTES                    of the answer, in hexadecimal
// top-p 0.8 and top-k 20 where the temperature is not 0. Exits 1, with the reason, where it cannot go on.
#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

#include "adapters/llamacpp/adapter.h"
#include "adapters/llamacpp/library_log.h"
#include "bench/bare/bare_loop.h"
#include "llama.h"

namespace sluice::bench {
namespace {

int complain(const std::string& why) {
  fmt::print(stderr, "sluice-bare-loop: {}\n", why);
  return 1;
}

struct Question {
  Moves moves = Moves::none;
  SamplingParams sampling;
  uint32_t tokens = 0;
  std::vector<Token> prompt;
};

std::optional<Question> read(const std::string& line) {
  std::istringstream in(line);
  Question question;
  std::string moves;
  if (!(in >> moves >> question.sampling.seed >> question.sampling.temperature >> question.tokens)) return std::nullopt;
  if (moves != "none" && moves != "copied" && moves != "imported") return std::nullopt;
  question.moves = moves == "none" ? Moves::none : moves == "copied" ? Moves::copied : Moves::imported;
  question.sampling.top_p = 0.8f;
  question.sampling.top_k = 20;
  question.sampling.min_p = 0;
  for (Token token; in >> token;) question.prompt.push_back(token);
  return in.eof() && question.prompt.size() >= 4 ? std::optional(question) : std::nullopt;
}

std::string hexadecimal(const BareAnswer& answer, const TokenBytes& bytes) {
  std::string text;
  for (const Token token : answer.tokens)
    for (const char byte : bytes.bytes_of(token)) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

int serve(const worker::LoadedModel& model) {
  BareLoop loop(*model.runtime);
  std::puts("ready");
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    const auto question = read(line);
    if (!question) return complain("this is no question: " + line);
    const auto answer = loop.answer(question->prompt, question->sampling, question->tokens, question->moves);
    if (!answer) return complain(answer.error().message);
    fmt::print("{:.3f} {:.3f} {}\n", to_ms(answer->first), to_ms(answer->total),
               hexadecimal(*answer, *model.token_bytes));
    std::fflush(stdout);
  }
  return 0;
}

int run(const std::string& model_path, uint32_t lanes, uint32_t window) {
  llama_backend_init();
  llamacpp::LibraryLog log;
  LoadOptions options;
  options.model_path = model_path;
  options.lanes = lanes;
  options.window = window;
  const auto loaded = llamacpp::make_adapter(log).load(options, [](float) {});
  if (!loaded) return complain(loaded.error().message);
  return serve(*loaded);
}

}  // namespace
}  // namespace sluice::bench

int main(int argc, char** argv) {
  if (argc != 4) return sluice::bench::complain("usage: sluice-bare-loop MODEL LANES WINDOW");
  return sluice::bench::run(argv[1], static_cast<uint32_t>(std::atoi(argv[2])),
                            static_cast<uint32_t>(std::atoi(argv[3])));
}
