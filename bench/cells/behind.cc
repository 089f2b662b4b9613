// A short chat that comes when agents with long prompts are there already.
#include <fmt/format.h>

#include <algorithm>

#include "bench/cells/factories.h"
#include "bench/cells/pick.h"
#include "bench/load/prompts.h"

namespace sluice::bench {
namespace {

using namespace std::chrono_literals;

constexpr uint32_t kAgents = 8;
constexpr Duration kChatAfter = 1s;  // when the agents' prompts are being computed
constexpr uint32_t kChatTokens = 16;
constexpr uint64_t kChatStream = 100, kAloneStream = 101;
constexpr const char* kChat = "What is the capital of France?";

class Behind final : public Cell {
 public:
  explicit Behind(const config::BenchOptions& options)
      : prompts_(given_or(options.prompt_tokens, {1400})),
        tokens_(options.tokens.value_or(64)),
        class_name_(options.class_name) {}

  std::string name() const override { return "behind"; }

  std::vector<Variant> variants() const override {
    std::vector<Variant> variants;
    for (const uint32_t prompt : prompts_) add(variants, prompt, "no header");
    if (class_name_.empty()) return variants;
    for (const uint32_t prompt : prompts_) add(variants, prompt, "class " + class_name_);
    return variants;
  }

  Figures measure(Stage& stage, size_t variant) override {
    const bool with_class = variant >= prompts_.size();
    if (with_class && stage.server().target().dialect.class_header == nullptr) {
      stage.object("this server has no classes");
      return {};
    }
    const Answer alone = ask_alone(stage);
    Volley volley = stage.volley();
    for (uint32_t agent = 0; agent < kAgents; ++agent) {
      Ask ask = stage.unique_chat(agent, prose(prompts_[variant % prompts_.size()], stage.seed(agent)), tokens_);
      ask.label = "agent";
      volley.send(std::move(ask));
    }
    Ask chat = short_chat(stage, kChatStream);
    if (with_class) chat.headers = {{stage.server().target().dialect.class_header, class_name_}};
    volley.send_at(volley.begun() + kChatAfter, std::move(chat));
    volley.run();
    const auto answers = stage.keep(volley);
    object_if_agents_were_done(stage, answers);
    return figures_of(answers, alone);
  }

 private:
  static void add(std::vector<Variant>& variants, uint32_t prompt, const std::string& series) {
    variants.push_back({fmt::format("8 agents of {} tokens, {}", prompt, series), series, static_cast<double>(prompt),
                        "tokens of an agent's prompt", "ttft_ms_p50"});
  }

  static Ask short_chat(Stage& stage, uint64_t stream) {
    Ask ask = stage.unique_chat(stream, kChat, kChatTokens);
    ask.label = "chat";
    return ask;
  }

  static Answer ask_alone(Stage& stage) {
    Volley volley = stage.volley();
    Ask ask = short_chat(stage, kAloneStream);
    ask.label = "chat alone";
    volley.send(std::move(ask));
    volley.run();
    return stage.keep(volley).front();
  }

  static void object_if_agents_were_done(Stage& stage, const std::vector<Answer>& answers) {
    const TimePoint came = answers.back().sent;
    const auto busy =
        std::ranges::count_if(std::span(answers).first(kAgents), [&](const Answer& a) { return a.ended > came; });
    if (busy < kAgents)
      stage.object(fmt::format("{} of {} agents were done when the chat came", kAgents - busy, kAgents));
  }

  static Figures figures_of(const std::vector<Answer>& answers, const Answer& alone) {
    const auto agents = std::span(answers).first(kAgents), chat = std::span(answers).last(1);
    Figures figures;
    add_gaps(figures, agents);
    figures["agents_wall_ms"] = wall_ms(agents);
    const auto behind = first_ms(chat), by_itself = first_ms({&alone, 1});
    if (behind.empty() || by_itself.empty()) return figures;
    figures["ttft_ms_p50"] = behind.front();
    figures["ttft_ms_alone"] = by_itself.front();
    figures["ttft_over_alone_ms"] = behind.front() - by_itself.front();
    return figures;
  }

  std::vector<uint32_t> prompts_;
  uint32_t tokens_;
  std::string class_name_;
};

}  // namespace

std::unique_ptr<Cell> make_behind(const config::BenchOptions& options) { return std::make_unique<Behind>(options); }

}  // namespace sluice::bench
