#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/build.h"
#include "base/version.h"
#include "proto/framing.h"
#include "worker/adapter.h"
#include "worker/codec_role.h"
#include "worker/exit_codes.h"
#include "worker/worker_role.h"

namespace sluice::worker {
namespace {

int usage(const Adapter& adapter, const char* wrong) {
  std::fprintf(stderr, "sluice-worker-%s: %s; usage: --role codec|worker (started by sluice), or --version\n",
               adapter.name.c_str(), wrong);
  return kExitUsage;
}

int print_version(const Adapter& adapter) {
  std::printf("sluice-worker-%s %s (%s), %s %s\n", adapter.name.c_str(), kVersion, build_id().c_str(),
              adapter.name.c_str(), adapter.runtime_version.c_str());
  return kExitEnded;
}

// The daemon decides when a child ends: a terminal's Ctrl-C reaches the whole process group, and must not tear the
// answers that the daemon still wants to finish.
void ignore_signals() {
  for (const int signal : {SIGTERM, SIGINT, SIGPIPE}) std::signal(signal, SIG_IGN);
}

bool has_socket() {
  struct stat status{};
  return ::fstat(proto::kChildSocket, &status) == 0 && S_ISSOCK(status.st_mode);
}

}  // namespace

int run_adapter(int argc, char** argv, const Adapter& adapter) {
  if (argc == 2 && std::string_view(argv[1]) == "--version") return print_version(adapter);
  if (argc != 3 || std::string_view(argv[1]) != "--role") return usage(adapter, "wrong arguments");
  const std::string_view role = argv[2];
  if (role != "codec" && role != "worker") return usage(adapter, "no such role");
  if (!has_socket()) return usage(adapter, "descriptor 3 is not the daemon's socket");
  ignore_signals();
  if (role == "codec") return run_codec(proto::kChildSocket, adapter);
  return run_worker(proto::kChildSocket, adapter, [] { std::_Exit(kExitEnded); });
}

}  // namespace sluice::worker
