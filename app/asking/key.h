#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace asking {

/// What a learner pressed, as the session understands it.
struct Key {
    enum class Kind { text, enter, line, backspace, clear, up, down, next, back, leave, interrupt };
    Kind kind = Kind::text;
    std::string text{}; ///< of Kind::text: one character, or a paste of several lines
};

/// Makes keys of the bytes that a terminal in raw mode sends. An escape sequence may come in pieces.
class KeyReader {
  public:
    std::vector<Key> feed(std::string_view bytes);

  private:
    std::string rest_; ///< the beginning of a sequence
};

} // namespace asking
