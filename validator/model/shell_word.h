#pragma once

#include <string>
#include <string_view>

namespace model {

/// A word as a POSIX shell reads it back, in quotes only where it needs them.
inline std::string shell_word(std::string_view word) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+,@%:";
    if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos) return std::string(word);
    std::string text = "'";
    for (const char letter : word)
        text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return text + "'";
}

} // namespace model
