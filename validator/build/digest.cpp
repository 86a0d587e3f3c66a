#include "build/digest.h"

namespace build {

Digest::Digest() {
    blake2b_init(&state_, sizeof(Checksum));
}

Digest& Digest::add(std::string_view part) {
    const std::uint64_t size = part.size();
    blake2b_update(&state_, reinterpret_cast<const std::uint8_t*>(&size), sizeof size);
    blake2b_update(&state_, reinterpret_cast<const std::uint8_t*>(part.data()), part.size());
    return *this;
}

Checksum Digest::checksum() const {
    blake2b_state state = state_;
    Checksum result{};
    blake2b_final(&state, result.data(), result.size());
    return result;
}

std::string Digest::hex() const {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : checksum()) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

} // namespace build
