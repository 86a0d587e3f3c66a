#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace reader {

/// A function with a body, or a lambda outside of all functions.
struct Function {
    std::string name; ///< as far as tokens can tell
    bool in_class = false;
    bool constant = false;  ///< constexpr or consteval: the compiler may have to run it
    bool deduced = false;   ///< its return type follows from its body
    std::size_t opens = 0;  ///< offset of its `{`
    std::size_t closes = 0; ///< and of the `}` that belongs to it
    int first_line = 0;     ///< of these braces
    int last_line = 0;
};

/// The functions of a source, in order. Those within functions belong to them.
std::vector<Function> functions_of(const std::string& source);

/// The functions that a source defines at namespace scope, each name once.
std::vector<std::string> defined_functions(const std::string& source);

} // namespace reader
