#include "bench/load/prompts.h"

#include <array>

#include "engine/philox.h"

namespace sluice::bench {
namespace {

constexpr std::array<std::string_view, kTasks> kTaskTexts = {
    "Write a Python function that merges two sorted lists into one sorted list, and explain step by step how it works.",
    "Explain to a curious beginner how a hash table finds a value, what a collision is, and how it is resolved.",
    "Write a C function that reverses a singly linked list in place. Comment every line and discuss its cost.",
    "Explain how a bicycle stays upright while it moves, and which forces act on it in a turn.",
    "Write a SQL schema for a small library with books, members and loans, and five queries that a librarian needs.",
    "Explain how TCP delivers bytes in order over a network that loses and reorders packets.",
    "Write a JavaScript function that debounces another function, with an example of its use in a search field.",
    "Explain how photosynthesis turns light into sugar, naming the two stages and what each of them needs.",
};

// Each is a token of its own, or nearly, in the vocabularies of common models.
constexpr std::array<std::string_view, 16> kSubjects = {"farmer", "river",  "city",    "engine", "teacher", "winter",
                                                        "market", "forest", "doctor",  "bridge", "garden",  "letter",
                                                        "harbor", "school", "village", "train"};
constexpr std::array<std::string_view, 16> kVerbs = {"carries", "follows", "changes", "watches", "builds", "crosses",
                                                     "leaves",  "feeds",   "opens",   "keeps",   "finds",  "moves",
                                                     "holds",   "joins",   "needs",   "turns"};
constexpr std::array<std::string_view, 16> kObjects = {"stone", "water", "road",  "house", "light", "field",
                                                       "story", "table", "horse", "paper", "boat",  "bread",
                                                       "glass", "cloud", "music", "money"};
constexpr std::array<std::string_view, 8> kTimes = {"in the morning", "after the rain",  "before dinner", "at night",
                                                    "every summer",   "once in a while", "on Sunday",     "this year"};
constexpr uint32_t kTokensPerSentence = 10;

engine::PhiloxCounter bits_of(uint64_t seed, uint64_t number) {
  return engine::philox4x32_10({static_cast<uint32_t>(number), static_cast<uint32_t>(number >> 32), 0, 0},
                               {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
}

void append_words(std::string& text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) text.append(word);
}

}  // namespace

std::string_view task(size_t index) { return kTaskTexts[index % kTasks]; }

std::string unique_head(uint64_t seed, uint64_t number) {
  const auto bits = bits_of(seed, number);
  std::string head;
  for (int i = 0; i < 6; ++i) head += static_cast<char>('A' + (bits[i % 4] >> (5 * i)) % 26);
  return head + "-" + std::to_string(number) + ". ";
}

std::string prose(uint32_t tokens, uint64_t seed) {
  std::string text;
  for (uint32_t sentence = 0; sentence * kTokensPerSentence < tokens; ++sentence) {
    const auto bits = bits_of(seed, sentence);
    append_words(text, {"The ", kSubjects[bits[0] % kSubjects.size()], " ", kVerbs[bits[1] % kVerbs.size()], " the ",
                        kObjects[bits[2] % kObjects.size()], " ", kTimes[bits[3] % kTimes.size()], ". "});
  }
  return text;
}

}  // namespace sluice::bench
