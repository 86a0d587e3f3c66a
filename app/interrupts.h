#pragma once

#include "system/fd.h"

#include <csignal>

namespace app {

/// While this lives, SIGINT, SIGTERM and SIGHUP do not end the process but make `fd` readable, so that what
/// was begun can be taken back. Make it before any thread is started: threads inherit the mask.
class Interrupts {
  public:
    Interrupts();
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

    int fd() const { return fd_.get(); }

  private:
    sigset_t before_{};
    sys::Fd fd_;
};

} // namespace app
