#pragma once

#include "build/layout.h"

#include <string>
#include <vector>

namespace verify {

/// What `engine new` leaves for the author, in files below problems/, exercises/ and reference/.
inline constexpr const char* blank_mark = "FILL IN: ";

struct Blank {
    std::string file; ///< "problems/my-problem/statement.md"
    int line = 0;
    std::string what; ///< what belongs there
};

/// Every blank of a package, by file and line. A package that is not there has none.
std::vector<Blank> find_blanks(const build::Layout& layout, const std::string& id);

} // namespace verify
