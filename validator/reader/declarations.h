#pragma once

#include "reader/words.h"

#include <cstddef>
#include <string>
#include <vector>

namespace reader {

/// A declaration at namespace scope.
struct Declaration {
    enum class Kind {
        function,
        type,
        alias,
        variable,
        other ///< using directives, assertions, and what tokens cannot tell
    };
    Kind kind = Kind::other;
    std::string name;      ///< empty where tokens cannot tell, or there are several
    bool constant = false; ///< a variable that the compiler knows
    std::size_t first = 0; ///< index of its first word
    std::size_t last = 0;  ///< one past its last word
};

/// The declarations in all namespaces of a source, in order.
std::vector<Declaration> declarations_of(const std::vector<Word>& words);

/// Whether a variable could outlive the call of a function: calls then do not depend on their arguments
/// alone. Better once too often.
bool keeps_state(const std::vector<Word>& words, const std::vector<Declaration>& declarations);

} // namespace reader
