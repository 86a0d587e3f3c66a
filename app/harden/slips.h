#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace harden {

/// What a slip is about.
enum class Kind { operation, bound, index, accumulation, order, stride, lifetime, width };

std::string_view name(Kind kind);

/// One small change of a right program that a person could have made: it reads like code, and may be wrong.
struct Slip {
    Kind kind = Kind::operation;
    std::size_t offset = 0; ///< of the characters that it replaces
    std::size_t length = 0;
    std::string replacement;

    std::string apply(const std::string& source) const;
};

/// The slips that could be made within the functions of a C++ or CUDA source, in the order of the source.
/// Found by tokens, so some of them do not compile, and some change nothing that could be seen.
std::vector<Slip> slips_of(const std::string& source);

} // namespace harden
