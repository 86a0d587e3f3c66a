#include "build/digest.h"

#include "build/file.h"

#include <algorithm>
#include <vector>

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

void add_headers(Digest& key, const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> headers;
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error))
        if (it->path().extension() == ".h") headers.push_back(it->path());
    std::ranges::sort(headers);
    for (const std::filesystem::path& header : headers)
        key.add(header.lexically_relative(folder).string()).add(read_if_there(header));
}

} // namespace build
