// sluice-worker-llamacpp: serves one model's codec or weights, for the daemon that starts it.
#include <cstdlib>

#include "adapters/llamacpp/adapter.h"
#include "llama.h"

int main(int argc, char** argv) {
  setenv("GGML_NO_BACKTRACE", "1", 1);  // an assertion would start a debugger while it holds the memory
  llama_backend_init();
  sluice::llamacpp::LibraryLog log;
  return sluice::worker::run_adapter(argc, argv, sluice::llamacpp::make_adapter(log));
}
