#include "build/object_symbols.h"

#include <cstring>
#include <elf.h>
#include <optional>

namespace build {
namespace {

/// What lies at `at`, or nothing where that is beyond the end.
template <class T>
std::optional<T> read_at(std::string_view bytes, std::uint64_t at) {
    if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

std::string_view part(std::string_view bytes, std::uint64_t at, std::uint64_t size) {
    if (at > bytes.size() || bytes.size() - at < size) return {};
    return bytes.substr(at, size);
}

std::optional<Elf64_Shdr> section(std::string_view object, const Elf64_Ehdr& header, std::uint64_t number) {
    return read_at<Elf64_Shdr>(object, header.e_shoff + number * sizeof(Elf64_Shdr));
}

std::string_view name_at(std::string_view names, std::uint64_t at) {
    if (at >= names.size()) return {};
    const std::string_view rest = names.substr(at);
    const std::string_view whole = rest.substr(0, rest.find('\0'));
    return whole.substr(0, whole.find('@'));
}

void add_symbols(std::string_view table, std::string_view names, std::vector<ObjectSymbol>& found) {
    for (std::uint64_t at = 0; const auto symbol = read_at<Elf64_Sym>(table, at); at += sizeof(Elf64_Sym)) {
        const unsigned binding = ELF64_ST_BIND(symbol->st_info);
        if (binding == STB_LOCAL) continue;
        found.push_back({name_at(names, symbol->st_name), symbol->st_shndx != SHN_UNDEF, binding == STB_WEAK,
                         binding == STB_GNU_UNIQUE});
    }
}

} // namespace

std::vector<ObjectSymbol> read_object_symbols(std::string_view object) {
    std::vector<ObjectSymbol> found;
    const auto header = read_at<Elf64_Ehdr>(object, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
        return found;
    // An object of more than 65,279 sections has their number in the first of them.
    std::uint64_t count = header->e_shnum;
    if (const auto first = section(object, *header, 0); count == 0 && first) count = first->sh_size;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto table = section(object, *header, i);
        if (!table) break;
        if (table->sh_type != SHT_SYMTAB) continue;
        const auto names = section(object, *header, table->sh_link);
        if (names)
            add_symbols(part(object, table->sh_offset, table->sh_size),
                        part(object, names->sh_offset, names->sh_size), found);
    }
    return found;
}

} // namespace build
