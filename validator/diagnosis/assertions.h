#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace diagnosis {

/// A check that failed and ended the program, by what was printed of it.
struct FailedAssertion {
    std::string words; ///< what the program did: "used an element of a std::span that does not exist"
    std::string advice;
    std::size_t begin = 0, end = 0; ///< the line of the text that says so
};

/// The last one that `printed` tells of: a check of the standard library, or an assert of the program.
/// Nothing if there is none. Everything in the text may be the submission's own.
std::optional<FailedAssertion> failed_assertion(std::string_view printed);

} // namespace diagnosis
