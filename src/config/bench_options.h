// What `sluice bench` was asked, as plain values, checked. Refuses to know flags' spelling and what cells measure.
// Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::config {

// A server that is there already.
struct BenchUrl {
  std::string name;
  std::string url;
  std::string kind = {};   // kind=KIND; empty: any server of OpenAI's API
  std::string model = {};  // model=ID; empty: the first it names
};

// A server to start: --start NAME=KIND[,option…].
struct BenchStart {
  std::string name = {};
  std::string kind = {};
  std::string program = {};  // program=PATH; empty: where this kind's is known to lie
  std::string model = {};    // model=PATH; empty: --model
  std::optional<uint32_t> lanes = {}, context = {}, threads = {};
  std::vector<std::string> arguments = {};                            // arg=WORD, appended to its argv
  std::vector<std::pair<std::string, std::string>> environment = {};  // env.NAME=VALUE
  std::string ready_path = {};                                        // ready=/PATH; empty: the kind's
};

enum class BenchMode : uint8_t { automatic, raw, chat };
enum class BenchSampling : uint8_t { greedy, sampled };

struct BenchOptions {
  std::vector<std::string> cells;
  std::vector<BenchStart> starts;  // the first rows
  std::vector<BenchUrl> urls;      // the rows after them
  std::string model_path;          // resolved; empty where only urls are measured
  uint32_t lanes = 8;
  std::optional<uint32_t> context;              // of a lane; absent: 4096
  uint32_t threads = 0;                         // 0: each server's default
  std::optional<uint32_t> tokens;               // of an answer; absent: the cell's
  std::vector<uint32_t> prompt_tokens, levels;  // empty: the cell's
  std::vector<uint32_t> gaps;                   // of `shared`: ms between requests; empty: the cell's
  bool may_end = false;                         // answers may end before their last token
  std::vector<BenchSampling> sampling;          // empty: the cell's
  BenchMode mode = BenchMode::automatic;
  std::optional<bool> thinking;
  std::vector<double> rates;        // of arrivals, a second; empty: the cell's
  std::optional<uint32_t> seconds;  // of arrivals and sustained; absent: the cell's
  std::string class_name;           // of the short chat in `behind`; empty: none
  uint32_t first_token_ms = 2000;   // goodput: the first token within this time …
  double pace = 5;                  // … and as many tokens a second
  uint64_t seed = 1;
  uint32_t pairs = 9;
  uint32_t warm_ups = 1;
  double others_max = 0.15;  // of one core
  bool agreement = false;
  std::string api_key;
  std::string out;  // result file
};

struct BenchReportOptions {
  std::vector<std::string> results;
  std::string html, markdown;  // files; both empty: Markdown to stdout
};

}  // namespace sluice::config
