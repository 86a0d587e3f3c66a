#include "app/asking/terminal.h"

#include <array>
#include <cerrno>
#include <poll.h>
#include <string>
#include <unistd.h>

namespace asking {
namespace {

// A pasted text of several lines arrives as one, and does not submit its first line.
constexpr std::string_view paste_on = "\x1b[?2004h";
constexpr std::string_view paste_off = "\x1b[?2004l";

} // namespace

Terminal::Terminal(int interrupts) : interrupts_(interrupts) {
    tcgetattr(STDIN_FILENO, &before_);
    termios raw = before_;
    raw.c_iflag &= ~static_cast<tcflag_t>(ICRNL | IXON);
    raw.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | ISIG | IEXTEN);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    write(paste_on);
}

Terminal::~Terminal() {
    write(paste_off);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
}

std::vector<Key> Terminal::read() {
    std::array<pollfd, 2> waiting{{{STDIN_FILENO, POLLIN, 0}, {interrupts_, POLLIN, 0}}};
    while (poll(waiting.data(), waiting.size(), -1) < 0)
        if (errno != EINTR) return {{Key::Kind::leave}};
    if (waiting[1].revents != 0) return {{Key::Kind::interrupt}};
    std::array<char, 4096> bytes{};
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count <= 0) return {{Key::Kind::leave}};
    return reader_.feed({bytes.data(), static_cast<std::size_t>(count)});
}

void Terminal::write(std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
        if (count <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

} // namespace asking
