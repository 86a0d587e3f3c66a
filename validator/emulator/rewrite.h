#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emulator {

/// Something in a CUDA source that the emulator cannot take, or CUDA does not allow.
struct RewriteError {
    int line = 0;
    std::string message;

    bool operator==(const RewriteError&) const = default;
};

/// A CUDA source as C++ for the emulator's headers.
struct Rewritten {
    std::string text; ///< line n + 1 of it is line n of the source; the first names the file
    std::vector<RewriteError> errors;
    std::vector<std::string> kernels; ///< in order of definition
};

/// Turns what C++ cannot say (kernel launches, shared variables) into C++, token by token, and refuses what
/// the emulator does not support. Every other character, and every line number, stays. `name` is the file's
/// name in diagnostics.
Rewritten rewrite(std::string_view source, std::string_view name);

} // namespace emulator
