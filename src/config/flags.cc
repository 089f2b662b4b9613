#include "config/flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "config/suggest.h"

namespace sluice::config {

struct Flags::Impl {
  CLI::App app;
  std::string command;
  std::optional<Error> first_error;  // in the order of declaration

  void take(const std::string& flag, const Take& taker, const std::string& word) {
    Result<void> taken = taker(word);
    if (taken || first_error) return;
    first_error = std::move(taken.error());
    first_error->field = flag;
  }

  std::vector<std::string> known_flags() const {
    std::vector<std::string> flags;
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    }
    return flags;
  }

  std::string unknown(const std::string& word) const {
    if (word.empty() || word.front() != '-') return "one MODEL at most; '" + word + "' is a second one";
    const std::string flag = word.substr(0, word.find('='));
    const std::optional<std::string> meant = nearest(flag, known_flags());
    return "unknown option " + flag +
           (meant ? "; did you mean " + *meant + "?" : "; `sluice " + command + " --help` lists them");
  }
};

Flags::Flags(std::string command, std::string description) : impl_(std::make_unique<Impl>()) {
  impl_->command = std::move(command);
  impl_->app.name("sluice " + impl_->command);
  impl_->app.description(std::move(description));
  impl_->app.allow_extras();
  impl_->app.get_formatter()->column_width(32);
}

Flags::~Flags() = default;

void Flags::positional(const std::string& name, const std::string& help, std::string& target) {
  impl_->app.add_option(name, target, help)->type_name("")->option_text(" ");
}

void Flags::positionals(const std::string& name, const std::string& help, std::vector<std::string>& target) {
  impl_->app.add_option(name, target, help)->type_name("")->option_text("...");
}

void Flags::option(const std::string& flag, const std::string& value, const std::string& help, Take take) {
  const auto callback = [impl = impl_.get(), flag, take = std::move(take)](const std::string& word) {
    impl->take(flag, take, word);
  };
  impl_->app.add_option_function<std::string>(flag, callback, help)->type_name(value);
}

void Flags::repeated(const std::string& flag, const std::string& value, const std::string& help, Take take) {
  const auto callback = [impl = impl_.get(), flag, take = std::move(take)](const std::vector<std::string>& words) {
    for (const std::string& word : words) impl->take(flag, take, word);
  };
  impl_->app.add_option_function<std::vector<std::string>>(flag, callback, help + "; may be repeated")
      ->type_name(value)
      ->option_text(value)
      ->allow_extra_args(false);
}

void Flags::text(const std::string& flag, const std::string& value, const std::string& help, std::string& target) {
  option(flag, value, help, [&target](const std::string& word) -> Result<void> {
    target = word;
    return {};
  });
}

void Flags::toggle(const std::string& flag, const std::string& help, bool& target) {
  impl_->app.add_flag(flag, target, help);
}

std::optional<Stop> Flags::parse(std::vector<std::string> arguments) {
  std::reverse(arguments.begin(), arguments.end());  // the library takes them from the back
  const auto usage = [this](const std::string& what) {
    return Stop{kExitUsage, "sluice " + impl_->command + ": " + what};
  };
  try {
    impl_->app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    return Stop{0, impl_->app.help()};
  } catch (const CLI::ParseError& error) {
    return usage(error.what());
  }
  const std::vector<std::string> extras = impl_->app.remaining();
  if (!extras.empty()) return usage(impl_->unknown(extras.front()));
  if (impl_->first_error) return refuse(*impl_->first_error);
  return std::nullopt;
}

Stop Flags::refuse(const Error& error) const {
  const std::string command = "sluice " + impl_->command + ": ";
  if (error.field == "MODEL") return {kExitModel, command + error.message};
  return {kExitUsage, command + (error.field.empty() ? "" : error.field + ": ") + error.message};
}

}  // namespace sluice::config
