#pragma once

#include "reader/functions.h"
#include "reader/words.h"

#include <cstddef>
#include <string>
#include <vector>

namespace bundle {

/// A piece of a function that can be one of several copies among which the program chooses.
struct Place {
    enum class Kind {
        body,      ///< all between the braces of a function
        statement, ///< with its `;`
        condition, ///< of an `if`, a `while` or a `for`
        step,      ///< the last part of the header of a `for`
        value      ///< what a variable is initialised with, after its `=`
    };
    Kind kind = Kind::body;
    std::size_t begin = 0; ///< offset into the source
    std::size_t end = 0;   ///< one past the last character
    int first_line = 0;
    int last_line = 0;
    std::size_t first_word = 0; ///< index into the source's words
    std::size_t last_word = 0;  ///< one past the last
    std::string type;           ///< the arithmetic type that a value is converted to, where it is named
    /// Each copy does what it would do alone. Elsewhere copies may need one type, or get a common one.
    bool exact = false;

    std::size_t length() const { return end - begin; }
};

/// The places of all functions that only run when the program does, in the order of the source, an outer one
/// before those that it holds. What tokens cannot tell is no place of its own, but part of a larger one.
std::vector<Place> places_of(const std::vector<reader::Word>& words,
                             const std::vector<reader::Function>& functions);
std::vector<Place> places_of(const std::string& source);

} // namespace bundle
