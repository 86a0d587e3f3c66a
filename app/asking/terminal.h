#pragma once

#include "app/asking/key.h"

#include <string_view>
#include <termios.h>
#include <vector>

namespace asking {

/// The learner's terminal, key by key and without echo; as it was before when this goes.
class Terminal {
  public:
    /// `interrupts` becomes readable when a signal asks to stop.
    explicit Terminal(int interrupts);
    ~Terminal();
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    /// Waits for the next keys. A terminal that is gone, or at its end, leaves; a signal interrupts.
    std::vector<Key> read();

    /// What cannot be shown is dropped: a terminal that is closed will be noticed when reading.
    void write(std::string_view text);

  private:
    int interrupts_;
    termios before_{};
    KeyReader reader_;
};

} // namespace asking
