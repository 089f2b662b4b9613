#include "bench/machine/processes.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/file_text.h"

namespace sluice::bench {
namespace {

namespace fs = std::filesystem;

template <class Number>
std::optional<Number> number(std::string_view word, int base = 10) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  return error == std::errc{} && end == word.data() + word.size() ? std::optional(value) : std::nullopt;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t at = text.find_first_not_of(" \t\n"); at != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(" \t\n", end);
  }
  return words;
}

template <class OnPid>
void for_each_pid(OnPid on_pid) {
  std::error_code ec;
  for (fs::directory_iterator at("/proc", ec), end; !ec && at != end; at.increment(ec)) {
    if (const auto pid = number<pid_t>(at->path().filename().string())) on_pid(*pid);
  }
}

uint64_t kib_at(std::string_view status, std::string_view label) {
  const size_t at = status.find(label);
  if (at == std::string_view::npos) return 0;
  const auto words = words_of(status.substr(at + label.size(), 64));
  return words.empty() ? 0 : number<uint64_t>(words.front()).value_or(0);
}

constexpr std::string_view kListening = "0A";

// The inode of the socket that listens on `port`, in /proc/net/tcp or tcp6.
std::optional<std::string> listening_inode(const std::string& table, uint16_t port) {
  std::ifstream lines(table);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const auto words = words_of(line);
    if (words.size() < 10 || words[3] != kListening) continue;
    const auto local = words[1].substr(words[1].rfind(':') + 1);
    if (number<uint16_t>(local, 16) == port) return std::string(words[9]);
  }
  return std::nullopt;
}

bool holds_socket(pid_t pid, const std::string& link) {
  std::error_code ec;
  for (fs::directory_iterator at("/proc/" + std::to_string(pid) + "/fd", ec), end; !ec && at != end; at.increment(ec)) {
    std::error_code gone;
    if (fs::read_symlink(at->path(), gone) == link) return true;
  }
  return false;
}

}  // namespace

std::optional<ProcessFacts> parse_process_stat(std::string_view stat) {
  const size_t name_end = stat.rfind(')');  // the name may hold anything, also ')'
  if (name_end == std::string_view::npos) return std::nullopt;
  const auto words = words_of(stat.substr(name_end + 1));
  if (words.size() < 15) return std::nullopt;
  ProcessFacts facts;
  facts.parent = number<pid_t>(words[1]).value_or(0);
  for (size_t i = 11; i < 15; ++i) facts.ticks += number<uint64_t>(words[i]).value_or(0);
  return facts;
}

ProcessTable read_processes() {
  ProcessTable table;
  for_each_pid([&](pid_t pid) {
    if (const auto facts = parse_process_stat(text_of_file("/proc/" + std::to_string(pid) + "/stat"))) {
      table.processes[pid] = *facts;
    }
  });
  return table;
}

std::set<pid_t> ProcessTable::tree_of(pid_t root) const {
  std::set<pid_t> tree = {root};
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& [pid, facts] : processes) {
      if (tree.contains(facts.parent)) grew |= tree.insert(pid).second;
    }
  }
  return tree;
}

uint64_t ProcessTable::ticks_of(const std::set<pid_t>& pids) const {
  uint64_t ticks = 0;
  for (const pid_t pid : pids) {
    if (const auto at = processes.find(pid); at != processes.end()) ticks += at->second.ticks;
  }
  return ticks;
}

uint64_t resident_bytes_of(const std::set<pid_t>& pids) {
  uint64_t own_kib = 0, file_kib = 0;
  for (const pid_t pid : pids) {
    const std::string status = text_of_file("/proc/" + std::to_string(pid) + "/status");
    own_kib += kib_at(status, "RssAnon:") + kib_at(status, "RssShmem:");
    file_kib = std::max(file_kib, kib_at(status, "RssFile:"));
  }
  return (own_kib + file_kib) * 1024;
}

std::optional<pid_t> listener_of(uint16_t port) {
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    const auto inode = listening_inode(table, port);
    if (!inode) continue;
    const std::string link = "socket:[" + *inode + "]";
    std::optional<pid_t> found;
    for_each_pid([&](pid_t pid) {
      if (!found && holds_socket(pid, link)) found = pid;
    });
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace sluice::bench
