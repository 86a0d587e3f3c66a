#include "vocabulary/byte_alphabet.h"

#include "text/utf8.h"

#include <algorithm>
#include <array>

namespace vocabulary {
namespace {

bool stands_for_itself(char32_t byte) {
    return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || (byte >= 0xAE && byte <= 0xFF);
}

std::array<char32_t, 256> make_alphabet() {
    std::array<char32_t, 256> characters{};
    char32_t next = 0x100;
    for (char32_t byte = 0; byte < 256; ++byte)
        characters[byte] = stands_for_itself(byte) ? byte : next++;
    return characters;
}

const std::array<char32_t, 256> alphabet = make_alphabet();

} // namespace

std::optional<std::string> bytes_of(std::string_view written) {
    std::string bytes;
    while (!written.empty()) {
        const text::Character next = text::first_character(written);
        const auto found = std::ranges::find(alphabet, next.code);
        if (!next.well_formed || found == alphabet.end()) return std::nullopt;
        bytes.push_back(static_cast<char>(found - alphabet.begin()));
        written.remove_prefix(next.size);
    }
    return bytes;
}

std::string written(std::string_view bytes) {
    std::string result;
    for (const char byte : bytes)
        text::append(result, alphabet[static_cast<unsigned char>(byte)]);
    return result;
}

} // namespace vocabulary
