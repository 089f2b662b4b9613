// The executable as the daemon starts it: a socket as descriptor 3, and nothing else.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/build.h"
#include "base/check.h"
#include "proto/convert.h"
#include "proto/framing.h"
#include "worker/exit_codes.h"

namespace sluice::worker {
namespace {

class Process : public testing::Test {
 protected:
  void TearDown() override {
    close();
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    std::filesystem::remove(model_path_);
  }

  void start(const char* role, const std::string& model) {
    model_path_ = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".fake";
    std::ofstream(model_path_) << model;
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    socket_ = ends[0];
    pid_ = ::fork();
    if (pid_ == 0) run_child(role, ends[1]);
    ::close(ends[1]);
  }

  template <class Message>
  Message read() {
    Message message;
    for (;;) {
      const auto next = reader_.next();
      CHECK(next);
      if (next->has) {
        EXPECT_TRUE(message.ParseFromArray(next->body.data(), static_cast<int>(next->body.size())));
        return message;
      }
      pollfd polled{socket_, POLLIN, 0};
      char bytes[4096];
      const ssize_t got = ::poll(&polled, 1, 30'000) == 1 ? ::recv(socket_, bytes, sizeof bytes, 0) : -1;
      if (got <= 0) {
        ADD_FAILURE() << "no frame came";
        return message;
      }
      reader_.feed({bytes, static_cast<size_t>(got)});
    }
  }

  template <class Message>
  void send(const Message& message) {
    ASSERT_TRUE(reaches_the_process(message)) << std::strerror(errno);
  }

  // A worker runs ahead of its acks: one that has told everything may be gone when an earlier step is acked.
  void ack(uint64_t step) {
    proto::ToWorker message;
    message.mutable_ack()->set_step(step);
    EXPECT_TRUE(reaches_the_process(message) || errno == EPIPE) << std::strerror(errno);
  }

  void load() {
    EXPECT_EQ(read<proto::FromWorker>().hello().build(), build_id());
    proto::ToWorker message;
    proto::Load& load = *message.mutable_load();
    load.set_model_path(model_path_);
    load.set_lanes(2);
    load.set_window(512);
    load.set_batch(256);
    load.set_ubatch(64);
    send(message);
    while (read<proto::FromWorker>().has_loading()) {
    }
  }

  void submit() {
    GenerationSpec spec;
    spec.prompt = {'h', 'i'};
    spec.max_tokens = 100;
    spec.ignore_eos = true;
    proto::ToWorker message;
    *message.mutable_submit() = proto::to_message(GenerationId{1}, spec);
    send(message);
  }

  void ask_to_render(const std::string& content) {
    proto::ToCodec call;
    call.set_call(2);
    proto::ChatMessage& message = *call.mutable_render()->add_messages();
    message.set_role("user");
    message.set_content(content);
    send(call);
  }

  void open_vocabulary() {
    EXPECT_EQ(read<proto::FromCodec>().hello().role(), "codec");
    proto::ToCodec call;
    call.set_call(1);
    call.mutable_open()->set_model_path(model_path_);
    send(call);
    EXPECT_TRUE(read<proto::FromCodec>().has_ready());
  }

  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }

  // The wait status of the process, which has to end by itself.
  int status() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = 0;
    return status;
  }

  void raise(int signal) { ::kill(pid_, signal); }

 private:
  template <class Message>
  bool reaches_the_process(const Message& message) {
    std::string frame;
    CHECK(proto::append_frame(message, frame));
    return ::send(socket_, frame.data(), frame.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(frame.size());
  }

  [[noreturn]] static void run_child(const char* role, int socket) {
    ::dup2(socket, proto::kChildSocket);
    ::fcntl(proto::kChildSocket, F_SETFD, 0);
    ::execl(SLUICE_WORKER_FAKE, SLUICE_WORKER_FAKE, "--role", role, nullptr);
    ::_exit(127);
  }

  std::string model_path_;
  int socket_ = -1;
  pid_t pid_ = 0;
  proto::FrameReader reader_;
};

bool tells_an_end(const proto::FromWorker& message) {
  return std::ranges::any_of(message.events().events(), [](const auto& event) { return event.has_finished(); });
}

TEST_F(Process, AWorkerServesAndEndsWhenItIsDrained) {
  start("worker", "");
  load();
  submit();
  proto::ToWorker drain;
  drain.mutable_drain();
  send(drain);
  while (!HasFailure()) {
    const auto message = read<proto::FromWorker>();
    if (tells_an_end(message)) break;
    if (message.events().step() != 0) ack(message.events().step());
  }
  EXPECT_EQ(status(), 0);
}

TEST_F(Process, ATerminalsSignalsDoNotEndIt) {
  start("worker", "");
  load();
  raise(SIGINT);
  raise(SIGTERM);
  submit();
  EXPECT_TRUE(read<proto::FromWorker>().events().events(0).accepted());
  close();
  EXPECT_EQ(status(), 0);
}

TEST_F(Process, AStepThatIgnoresEverythingIsLeftBehindWithTheDaemon) {
  start("worker", "fault = freeze after 0 calls");
  load();
  submit();
  EXPECT_TRUE(read<proto::FromWorker>().events().events(0).accepted());
  close();
  EXPECT_EQ(status(), 0);
}

TEST_F(Process, AFatalRuntimeIsToldAndEndsIt) {
  start("worker", "fault = fatal after 3 calls");
  load();
  submit();
  proto::FromWorker message;
  do message = read<proto::FromWorker>();
  while (!HasFailure() && !message.events().events(0).has_failed());
  EXPECT_EQ(proto::from_message(message.events().events(0).failed()).code, ErrorCode::fatal);
  const int ended = status();
  ASSERT_TRUE(WIFEXITED(ended));
  EXPECT_EQ(WEXITSTATUS(ended), kExitFatal);
}

TEST_F(Process, ACrashIsASignal) {
  start("worker", "fault = crash after 3 calls");
  load();
  submit();
  EXPECT_TRUE(WIFSIGNALED(status()));
}

TEST_F(Process, ACodecRendersAndEndsWithItsDaemon) {
  start("codec", "");
  open_vocabulary();
  ask_to_render("hi");
  EXPECT_EQ(read<proto::FromCodec>().prompt().tokens_size(), 5);
  close();
  EXPECT_EQ(status(), 0);
}

TEST_F(Process, ACodecCrashesOnTheTextThatItsModelNames) {
  start("codec", "codec_fault = crash on poison");
  open_vocabulary();
  ask_to_render("a poison");
  EXPECT_TRUE(WIFSIGNALED(status()));
}

TEST_F(Process, WrongArgumentsAreExitCode2) {
  start("cook", "");
  const int ended = status();
  ASSERT_TRUE(WIFEXITED(ended));
  EXPECT_EQ(WEXITSTATUS(ended), kExitUsage);
}

}  // namespace
}  // namespace sluice::worker
