// What thread `link` has read and thread `step` has not taken yet; bounded. Its end (the daemon is gone, or sent what
// it may not) overtakes the letters: nobody would read the answers. Refuses to know sockets.
// Thread: put and end link; take and wait step. Lifetime: the link's.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

#include "worker/letters.h"

namespace sluice::worker {

// Why no letter will come any more. Without an error the daemon has closed the socket.
struct Ending {
  std::optional<Error> error;
};

struct Delivery {
  std::vector<Letter> letters;  // empty where it ended
  std::optional<Ending> ending;
};

class Inbox final {
 public:
  Result<void> put(Letter letter);  // Error: protocol, it is full
  void end(Ending ending);          // the first one counts

  Delivery take();  // what there is
  Delivery wait();  // sleeps until there is something
  bool ended() const;

 private:
  Delivery take_locked();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Letter> letters_;   // guarded by mutex_
  std::optional<Ending> ending_;  // guarded by mutex_
};

}  // namespace sluice::worker
