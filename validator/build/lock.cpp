#include "build/lock.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace build {

sys::Fd lock(const std::filesystem::path& file, int cancel_fd) {
    sys::Fd fd(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (fd) futimens(fd.get(), nullptr); // what is old is swept
    while (fd && flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
        pollfd cancelled{cancel_fd, POLLIN, 0};
        constexpr int retry_ms = 20;
        if (poll(&cancelled, 1, retry_ms) > 0) return {};
    }
    return fd;
}

} // namespace build
