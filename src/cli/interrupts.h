// Ctrl-C as an event instead of a signal: it ends what is going on first, and the program only when it is pressed
// again. Refuses to know what is going on. Thread: the program's main one; made before any other thread.
#pragma once

#include <functional>
#include <stop_token>

namespace sluice::cli {

class Interrupts final {
 public:
  Interrupts();  // SIGINT no longer ends this process
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  // Runs `work`; Ctrl-C meanwhile requests its stop. True: it was pressed.
  bool during(const std::function<void(std::stop_token)>& work);

  int descriptor() const { return signals_; }  // readable when Ctrl-C was pressed
  void take();                                 // what made it readable

 private:
  void watch(std::stop_source& stop, int ended);

  int signals_;
};

}  // namespace sluice::cli
