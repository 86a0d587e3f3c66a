#pragma once

#include "bundle/places.h"

#include <cstddef>
#include <string>
#include <vector>

/// Many programs in one: the places where they differ from a common source hold copies, and a number chooses
/// among them at run time. After R. H. Untch, A. J. Offutt, M. J. Harrold, "Mutation analysis using mutant
/// schemata", ISSTA 1993.
namespace bundle {

/// The variable whose value chooses.
inline constexpr const char* selector = "chosen_program";

/// Code of another file, as the compiler's messages and the debugger shall see it.
struct Excerpt {
    std::string code;
    std::string file;
    int line = 1; ///< where it begins there
};

/// What a place holds while the selector has this value.
struct Choice {
    std::size_t number = 0;
    Place place; ///< of the source
    Excerpt copy;
};

/// Declarations that one of the programs adds before the character at `offset` of the source.
struct Addition {
    std::size_t offset = 0;
    int line = 0; ///< of that character
    Excerpt added;
};

/// The source, called `file`, with these choices; where the selector has none of their numbers, everything is
/// as it was. `additions` are in the order of the source. All lines keep their numbers for the compiler.
std::string with_choices(const std::string& source, const std::string& file,
                         const std::vector<Choice>& choices, const std::vector<Addition>& additions = {});

} // namespace bundle
