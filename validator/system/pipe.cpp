#include "system/pipe.h"

#include "model/errors.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>

namespace sys {

Pipe make_pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) < 0)
        throw model::EnvironmentError(std::string("cannot make a pipe: ") + std::strerror(errno) +
                                      "; raise the limit on open files (ulimit -n)");
    return {Fd(ends[0]), Fd(ends[1])};
}

void set_nonblocking(int fd) {
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

bool drain(int fd, std::string& text, std::uint64_t most, bool& exceeded) {
    std::array<char, 65536> buffer{};
    for (;;) {
        const ssize_t got = read(fd, buffer.data(), buffer.size());
        if (got == 0) return false;
        if (got < 0) return errno == EINTR || errno == EAGAIN;
        const std::uint64_t room = most - text.size();
        text.append(buffer.data(), std::min<std::uint64_t>(room, static_cast<std::uint64_t>(got)));
        exceeded = static_cast<std::uint64_t>(got) > room;
        if (exceeded || static_cast<std::size_t>(got) < buffer.size()) return true;
    }
}

} // namespace sys
