#pragma once

#include "app/asking/key.h"

#include <string>
#include <termios.h>

namespace watching {

/// Keys of the learner's terminal, one by one and without echo, while signals such as Ctrl-C work as always.
/// The terminal is as it was before when this goes.
class Keys {
  public:
    Keys();
    ~Keys();
    Keys(const Keys&) = delete;
    Keys& operator=(const Keys&) = delete;

    /// Takes the terminal again: a shell that stopped this program has set it as it likes.
    void prepare() const;

    /// Letters that were pressed, in lower case; call it when stdin is readable. A terminal that is gone, or
    /// its end, is a `q`.
    std::string read();

  private:
    termios before_{};
    asking::KeyReader reader_;
};

} // namespace watching
