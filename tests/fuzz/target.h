#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

/// What a fuzz target defines: it reads the bytes as its parser would get them, and aborts if a promise of
/// the parser's is broken. An exception that it does not expect aborts, too.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// Aborts unless the promise is kept.
inline void require(bool kept, const char* promise) {
    if (kept) return;
    std::cerr << "broken: " << promise << std::endl;
    std::abort();
}

/// The two parts of an input that a line of dashes separates; the second is empty where there is none.
struct Parts {
    std::string first, second;
};
inline Parts parts_of(std::string_view text) {
    constexpr std::string_view between = "\n----\n";
    const std::size_t at = text.find(between);
    if (at == std::string_view::npos) return {std::string(text), {}};
    return {std::string(text.substr(0, at + 1)), std::string(text.substr(at + between.size()))};
}

} // namespace fuzz
