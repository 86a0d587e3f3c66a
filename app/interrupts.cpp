#include "app/interrupts.h"

#include "model/errors.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <sys/signalfd.h>

namespace app {

Interrupts::Interrupts() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&signals, number);
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
    fd_ = sys::Fd(signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!fd_) throw model::EnvironmentError(std::string("cannot watch for signals: ") + std::strerror(errno));
}

Interrupts::~Interrupts() {
    // What arrived and was acted upon must not strike again when the mask is lifted.
    signalfd_siginfo ignored{};
    while (read(fd_.get(), &ignored, sizeof ignored) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

} // namespace app
