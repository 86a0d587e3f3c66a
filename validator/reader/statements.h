#pragma once

#include "reader/words.h"

#include <cstddef>
#include <string>
#include <vector>

/// What tokens tell about the statements of a function. Where they do not tell, the answer is no.
namespace reader {

/// Whether a statement begins at word `i`, or a part of the header of a `for`.
bool begins_statement(const std::vector<Word>& words, std::size_t i);

/// Whether word `i` lies in parentheses: where a statement seems to begin there, they are the header of a
/// `for`.
bool in_for_header(const std::vector<Word>& words, std::size_t i);

/// The `;` that ends what begins at word `i`, or 0 where a bracket closes before.
std::size_t semicolon_after(const std::vector<Word>& words, std::size_t i);

/// The same for a statement of one expression, a jump, or a declaration that begins with a plain name; 0 for
/// all others.
std::size_t end_of_statement(const std::vector<Word>& words, std::size_t i);

/// Whether words [first, last) could declare a variable: a name follows a type. Better once too often.
bool could_declare(const std::vector<Word>& words, std::size_t first, std::size_t last);

/// A built-in arithmetic type, or an alias of one in the standard library.
struct Arithmetic {
    std::string name; ///< without `const`; empty where the words name no such type
    bool constant = false;
    bool integer = false;
};

/// The type that words [first, last) name.
Arithmetic arithmetic_type(const std::vector<Word>& words, std::size_t first, std::size_t last);

} // namespace reader
