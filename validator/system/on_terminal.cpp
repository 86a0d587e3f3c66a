#include "system/on_terminal.h"

#include "model/errors.h"
#include "system/write_beneath.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace sys {
namespace {

/// How long a change of the window's size may go unseen.
constexpr int look_ms = 200;

[[noreturn]] void no_terminal(const char* what) {
    throw model::EnvironmentError(std::string("cannot open a terminal: ") + what + ": " +
                                  std::strerror(errno) + "; is /dev/pts mounted?");
}

/// Our terminal hands on every key as it is typed, until this object ends.
class Raw {
  public:
    Raw() {
        if (tcgetattr(STDIN_FILENO, &before_) != 0) no_terminal("reading the settings of our terminal");
        termios raw = before_;
        cfmakeraw(&raw);
        tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    }
    Raw(const Raw&) = delete;
    Raw& operator=(const Raw&) = delete;
    ~Raw() { tcsetattr(STDIN_FILENO, TCSADRAIN, &before_); }

    const termios& before() const { return before_; }

  private:
    termios before_{};
};

struct Terminal {
    Fd ours;  ///< what is written here was typed
    Fd shown; ///< the command's
};

Terminal open_terminal(const termios& settings) {
    Terminal terminal;
    terminal.ours = Fd(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    std::array<char, 64> name{};
    if (!terminal.ours || grantpt(terminal.ours.get()) != 0 || unlockpt(terminal.ours.get()) != 0 ||
        ptsname_r(terminal.ours.get(), name.data(), name.size()) != 0)
        no_terminal("a new one");
    terminal.shown = Fd(open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (!terminal.shown || tcsetattr(terminal.shown.get(), TCSANOW, &settings) != 0) no_terminal(name.data());
    return terminal;
}

void pass_size(int to) {
    winsize ours{};
    winsize theirs{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ours) != 0 || ioctl(to, TIOCGWINSZ, &theirs) != 0) return;
    if (std::memcmp(&ours, &theirs, sizeof ours) != 0) ioctl(to, TIOCSWINSZ, &ours);
}

/// What is there; nothing at the end.
std::optional<std::string> read_some(int from) {
    std::string buffer(4096, '\0');
    ssize_t got = 0;
    do
        got = read(from, buffer.data(), buffer.size());
    while (got < 0 && errno == EINTR);
    if (got <= 0) return std::nullopt; // EIO: nobody holds the other side
    buffer.resize(static_cast<std::size_t>(got));
    return buffer;
}

/// False once one of them is at its end.
template <class Filter>
bool pass(int from, int to, const Filter& filter) {
    const auto bytes = read_some(from);
    return bytes && write_all(to, filter(*bytes));
}

} // namespace

Exit run_on_terminal(Command command, int cancel_fd,
                     const std::function<std::string(std::string_view printed)>& filter) {
    const Raw raw;
    Terminal terminal = open_terminal(raw.before());
    pass_size(terminal.ours.get());
    for (const int fd : {0, 1, 2})
        command.fds.push_back({terminal.shown.get(), fd});
    command.on_terminal = true;
    Process process = spawn(command);
    terminal.shown.reset();

    for (bool ended = false; !ended;) {
        std::array<pollfd, 4> wait_for{{{STDIN_FILENO, POLLIN, 0},
                                        {terminal.ours.get(), POLLIN, 0},
                                        {process.pidfd(), POLLIN, 0},
                                        {cancel_fd, POLLIN, 0}}};
        if (poll(wait_for.data(), wait_for.size(), look_ms) < 0 && errno != EINTR) break;
        pass_size(terminal.ours.get());
        if (wait_for[0].revents != 0 && !pass(STDIN_FILENO, terminal.ours.get(), std::identity())) break;
        if (wait_for[1].revents != 0)
            ended = !pass(terminal.ours.get(), STDOUT_FILENO, filter);
        else
            ended = wait_for[2].revents != 0;
        if (wait_for[3].revents != 0) break;
    }
    write_all(STDOUT_FILENO, filter({}));
    process.kill();
    return process.wait();
}

} // namespace sys
