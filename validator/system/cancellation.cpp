#include "system/cancellation.h"

#include "model/errors.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <sys/epoll.h>
#include <sys/eventfd.h>

namespace sys {
namespace {

bool watch(int epoll, int fd) {
    epoll_event event{};
    event.events = EPOLLIN;
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

} // namespace

Cancellation::Cancellation(int outer_fd)
    : own_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), any_(epoll_create1(EPOLL_CLOEXEC)) {
    if (!own_ || !any_ || !watch(any_.get(), own_.get()) || (outer_fd >= 0 && !watch(any_.get(), outer_fd)))
        throw model::EnvironmentError(std::string("cannot watch for an interruption: ") +
                                      std::strerror(errno) + "; raise the limit on open files (ulimit -n)");
}

void Cancellation::cancel() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(own_.get(), &one, sizeof one);
}

} // namespace sys
