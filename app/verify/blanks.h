#pragma once

#include "catalogue/content.h"

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
std::vector<Blank> find_blanks(const catalogue::Content& content, const std::string& id);

/// How a proof ends: "sound", or "not sound: 14 blanks".
std::string soundness(bool sound, std::size_t blanks);

} // namespace verify
