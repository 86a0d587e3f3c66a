#pragma once

#include <optional>
#include <string>
#include <string_view>

/// The form of a cache entry: the program as linked, then a note and a checksum, which an ELF loader does not
/// look at. One file, so one rename publishes it whole.
namespace build {

std::string pack(std::string program, std::string_view note);

struct Unpacked {
    std::string_view program;
    std::string_view note;
};

/// Program and note, if they are what was packed.
std::optional<Unpacked> unpack(std::string_view bytes);

} // namespace build
