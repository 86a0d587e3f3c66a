#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace verify {

/// One small change of a source, of the kind that a slip of the fingers makes.
struct Mutant {
    int line = 0;
    std::string original; ///< the changed lines, with single blanks, without comments at their end
    std::string mutation; ///< "+ -> -"; with " (2)" behind it for the second such place in `original`
    std::string mutated;  ///< what `original` becomes
    std::size_t offset = 0;
    std::size_t length = 0;
    std::string replacement;

    std::string apply(const std::string& source) const;
};

/// Every mutant of a C++ source: operators, comparisons, constants, dropped statements and swapped arguments.
/// Works on tokens, so some of them do not compile.
std::vector<Mutant> mutate(const std::string& source);

} // namespace verify
