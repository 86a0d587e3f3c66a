#include "build/source_check.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace build {
namespace {

constexpr std::size_t largest_bytes = 1 << 20;

/// How many bytes the UTF-8 sequence at the beginning of `text` has; 0 where none begins there (RFC 3629,
/// table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing above U+10FFFF).
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const auto continues = [&](std::size_t i, std::uint8_t low = 0x80, std::uint8_t high = 0xBF) {
        return i < text.size() && byte(i) >= low && byte(i) <= high;
    };
    const std::uint8_t first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const std::uint8_t low = first == 0xE0 ? 0xA0 : 0x80;
        const std::uint8_t high = first == 0xED ? 0x9F : 0xBF;
        return continues(1, low, high) && continues(2) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const std::uint8_t low = first == 0xF0 ? 0x90 : 0x80;
        const std::uint8_t high = first == 0xF4 ? 0x8F : 0xBF;
        return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
    }
    return 0;
}

std::size_t first_not_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = sequence_length(text.substr(at));
        if (length == 0) return at;
        at += length;
    }
    return std::string_view::npos;
}

model::Diagnostic says(const model::SourceFile& file, std::size_t at, std::string message,
                       std::string explanation) {
    model::Diagnostic diagnostic;
    diagnostic.file = file.name;
    if (at != std::string_view::npos)
        diagnostic.line =
            1 + static_cast<int>(
                    std::count(file.text.begin(), file.text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    diagnostic.message = std::move(message);
    diagnostic.explanation = std::move(explanation);
    return diagnostic;
}

} // namespace

std::optional<model::Diagnostic> check_source(const model::SourceFile& file) {
    const std::string_view text = file.text;
    constexpr auto nowhere = std::string_view::npos;
    if (text.find_first_not_of(" \t\r\n\v\f") == nowhere)
        return says(file, nowhere, "the file is empty",
                    file.name +
                        " is empty: write the function there, or get the starter back with `engine reset`.");
    if (text.size() > largest_bytes)
        return says(file, nowhere, "the file is larger than 1 MiB",
                    file.name + " has " + std::to_string(text.size()) +
                        " bytes; at most 1 MiB (1048576 bytes) is compiled. Was the right file saved?");
    if (const std::size_t at = text.find('\0'); at != nowhere)
        return says(file, at, "NUL byte at offset " + std::to_string(at),
                    file.name + " holds a NUL byte at offset " + std::to_string(at) +
                        ", so it is not plain text: save it as UTF-8.");
    if (const std::size_t at = first_not_utf8(text); at != nowhere)
        return says(file, at, "not UTF-8 at byte offset " + std::to_string(at),
                    file.name + " is not UTF-8 at byte offset " + std::to_string(at) +
                        ": save it with the encoding UTF-8.");
    return std::nullopt;
}

} // namespace build
