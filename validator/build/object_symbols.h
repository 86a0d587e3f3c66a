#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace build {

/// A name that an object file shares with the rest of its program.
struct ObjectSymbol {
    std::string name; ///< as the linker knows it, without a version
    bool defined = false;
    bool weak = false;
    bool unique = false; ///< one for all objects that define it, and not weak: a variable of a template, say
};

/// The global and weak names of an object file (ELF, 64 bits, little-endian) in its order; of anything else,
/// none. The file was made from a learner's text: nothing in it is believed but where it lies within bounds.
std::vector<ObjectSymbol> read_object_symbols(std::string_view object);

} // namespace build
