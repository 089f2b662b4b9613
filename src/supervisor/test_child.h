// The child that this folder's tests start: it behaves as its script says, well or badly. Link it under the name of a
// script, or give the script as its argument. Refuses to know which test runs it.
#pragma once

#include <google/protobuf/message_lite.h>

#include <optional>
#include <string>

#include "proto/framing.h"
#include "proto/sluice.pb.h"

namespace sluice::supervisor::test_child {

struct Script {
  std::string name;
  std::string role;  // "codec" or "worker"; empty for scripts of single processes
  int start = 1;     // how often this script has been started in its folder, this time included
  bool is(const char* wanted) const { return name == wanted; }
  bool is_first(const char* wanted) const { return name == wanted && start == 1; }
};

// Blocking frames on proto::kChildSocket. The process exits with 0 where the daemon has closed it.
class Link {
 public:
  Link();
  void send(const google::protobuf::MessageLite& message);
  void send_bytes(const std::string& bytes);
  std::string read();  // the body of the next frame

 private:
  proto::FrameReader reader_;
};

[[noreturn]] void hang();
void say(const std::string& line);  // on stderr

proto::Hello hello_of(const Script& script);
// What a script sends instead of an answer, if it is one of those.
void misbehave(const Script& script, Link& link);

int run_single(const Script& script);
int run_codec(const Script& script);
int run_worker(const Script& script);

}  // namespace sluice::supervisor::test_child
