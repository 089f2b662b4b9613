#include "supervisor/test_child.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "base/build.h"
#include "base/limits.h"

namespace sluice::supervisor::test_child {

Link::Link() { ::signal(SIGPIPE, SIG_IGN); }

void Link::send(const google::protobuf::MessageLite& message) {
  std::string frame;
  if (!proto::append_frame(message, frame)) std::abort();
  send_bytes(frame);
}

void Link::send_bytes(const std::string& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t wrote = ::write(proto::kChildSocket, bytes.data() + done, bytes.size() - done);
    if (wrote <= 0) std::exit(0);
    done += static_cast<size_t>(wrote);
  }
}

std::string Link::read() {
  for (;;) {
    const auto next = reader_.next();
    if (!next) std::abort();
    if (next->has) return std::string(next->body);
    char bytes[64 << 10];
    const ssize_t got = ::read(proto::kChildSocket, bytes, sizeof bytes);
    if (got <= 0) std::exit(0);
    reader_.feed({bytes, static_cast<size_t>(got)});
  }
}

void hang() {
  for (;;) ::pause();
}

void say(const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); }

proto::Hello hello_of(const Script& script) {
  proto::Hello hello;
  hello.set_protocol(script.is("wrong-version") ? proto::kProtocolVersion + 1 : proto::kProtocolVersion);
  hello.set_build(script.is("wrong-build") ? "another build" : build_id());
  hello.set_role(script.is("wrong-role") ? "cook" : script.role);
  hello.set_runtime("test");
  hello.set_runtime_version("7");
  return hello;
}

void misbehave(const Script& script, Link& link) {
  if (script.is("never-hello")) hang();
  if (script.is("exit-at-once")) {
    say("cannot go on");
    std::exit(5);
  }
  if (script.is("garbage") || script.is_first("garbage-first"))
    link.send_bytes(std::string("\x03\0\0\0\xff\xff\xff", 7));
  if (script.is_first("oversized-first")) link.send_bytes("\xff\xff\xff\xff");
  if (script.is_first("half-frame-first")) {
    link.send_bytes(std::string("\x40\0\0\0half", 8));
    std::exit(0);
  }
}

namespace {

void list_descriptors() {
  DIR* folder = ::opendir("/proc/self/fd");
  while (const dirent* entry = ::readdir(folder)) {
    if (entry->d_name[0] != '.' && std::atoi(entry->d_name) != ::dirfd(folder)) say(std::string("fd ") + entry->d_name);
  }
  ::closedir(folder);
}

void list_environment() {
  for (char** entry = ::environ; *entry; ++entry) say(std::string("env ") + *entry);
}

void list_signals() {
  sigset_t blocked;
  ::sigprocmask(SIG_SETMASK, nullptr, &blocked);
  for (int number = 1; number < SIGRTMIN; ++number) {
    struct sigaction action{};
    ::sigaction(number, nullptr, &action);
    if (::sigismember(&blocked, number) == 1) say("blocked " + std::to_string(number));
    if (action.sa_handler == SIG_IGN) say("ignored " + std::to_string(number));
  }
}

int count_start(const char* program) {
  const std::string path = std::string(program) + ".starts";
  const int file = ::open(path.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  struct stat facts{};
  if (file < 0 || ::write(file, "x", 1) != 1 || ::fstat(file, &facts) != 0) std::abort();
  ::close(file);
  return static_cast<int>(facts.st_size);
}

}  // namespace

int run_single(const Script& script) {
  if (script.is("list")) {
    list_descriptors();
    list_environment();
    list_signals();
    return 0;
  }
  Link link;
  if (script.is("exit-5")) {
    say("first words");
    std::fprintf(stderr, "last words");
    return 5;
  }
  if (script.is("abort")) {
    say("it went wrong");
    std::abort();
  }
  if (script.is("echo")) {
    for (;;) {
      proto::ToWorker message;
      if (!message.ParseFromString(link.read())) std::abort();
      link.send(message);
    }
  }
  if (script.is("last-frame-then-exit")) {
    proto::ToWorker message;
    message.mutable_ack()->set_step(99);
    link.send(message);
    return 0;
  }
  if (script.is("close-socket")) {
    ::close(proto::kChildSocket);
    hang();
  }
  if (script.is("hang")) hang();
  misbehave(script, link);
  return 0;
}

}  // namespace sluice::supervisor::test_child

namespace child = sluice::supervisor::test_child;

int main(int argc, char** argv) {
  if (argc == 2) return child::run_single({argv[1], {}, 1});
  if (argc != 3) return 2;
  const std::string program = argv[0];
  const child::Script script{program.substr(program.rfind('/') + 1), argv[2], child::count_start(argv[0])};
  return script.role == "codec" ? child::run_codec(script) : child::run_worker(script);
}
