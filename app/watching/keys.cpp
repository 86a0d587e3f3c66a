#include "app/watching/keys.h"

#include <array>
#include <cctype>
#include <unistd.h>

namespace watching {

Keys::Keys() {
    tcgetattr(STDIN_FILENO, &before_);
    prepare();
}

Keys::~Keys() {
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
}

void Keys::prepare() const {
    termios wanted = before_;
    wanted.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &wanted);
}

std::string Keys::read() {
    std::array<char, 256> bytes{};
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count <= 0) return "q";
    std::string letters;
    for (const asking::Key& key : reader_.feed({bytes.data(), static_cast<std::size_t>(count)})) {
        if (key.kind == asking::Key::Kind::leave) return "q";
        if (key.kind == asking::Key::Kind::text && key.text.size() == 1)
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(key.text.front())));
    }
    return letters;
}

} // namespace watching
