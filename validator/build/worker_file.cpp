#include "build/worker_file.h"

#include "build/digest.h"

#include <cstring>

namespace build {
namespace {

/// The last bytes of an entry.
struct Trailer {
    std::uint64_t program_size = 0;
    std::uint64_t note_size = 0;
    Checksum checksum{};
    std::array<char, 8> magic{'e', 'n', 'g', 'i', 'n', 'e', '.', '1'};
};
static_assert(sizeof(Trailer) == 56);

Checksum checksum(std::string_view program, std::string_view note) {
    return Digest().add(program).add(note).checksum();
}

} // namespace

std::string pack(std::string program, std::string_view note) {
    Trailer trailer;
    trailer.program_size = program.size();
    trailer.note_size = note.size();
    trailer.checksum = checksum(program, note);
    program += note;
    program.append(reinterpret_cast<const char*>(&trailer), sizeof trailer);
    return program;
}

std::optional<Unpacked> unpack(std::string_view bytes) {
    Trailer trailer;
    const auto magic = trailer.magic;
    if (bytes.size() < sizeof trailer) return std::nullopt;
    const std::size_t body = bytes.size() - sizeof trailer;
    std::memcpy(&trailer, bytes.data() + body, sizeof trailer);
    if (trailer.magic != magic || trailer.program_size > body ||
        trailer.note_size != body - trailer.program_size)
        return std::nullopt;
    const std::string_view program = bytes.substr(0, trailer.program_size);
    const std::string_view note = bytes.substr(trailer.program_size, trailer.note_size);
    if (checksum(program, note) != trailer.checksum) return std::nullopt;
    return Unpacked{program, note};
}

} // namespace build
