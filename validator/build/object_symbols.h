#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace build {

/// A name that an object file shares with the rest of its program.
struct ObjectSymbol {
    std::string_view name; ///< as the linker knows it, without a version
    bool defined = false;
    bool weak = false;
    bool unique = false; ///< one for all objects that define it, and not weak: a variable of a template, say
};

/// The global and weak names of an object file (ELF, 64 bits, little-endian) in its order; of anything else,
/// none. The file was made from a learner's text, so everything is checked against its bounds. The names are
/// parts of `object`, which must outlive them: an assembler lets long names share their bytes, so that copies
/// could be far larger than the file.
std::vector<ObjectSymbol> read_object_symbols(std::string_view object);

} // namespace build
