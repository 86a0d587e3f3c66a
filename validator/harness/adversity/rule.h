#pragma once

#include "harness/expect.h"

#include <functional>
#include <vector>

namespace harness {

/// How an output is compared with the reference's.
struct Rule {
    enum class Kind {
        bits,    ///< every bit, NaN payloads too
        any_nan, ///< every bit, but any NaN will do
        values,  ///< every bit, but any NaN and either zero will do
        close,   ///< within `tolerance`
        within,  ///< within `bounds`, one an element in reading order
        free     ///< only the gaps count
    };
    Kind kind = Kind::bits;
    Tolerance tolerance;
    std::vector<double> bounds;
    std::function<bool(std::size_t)> exact; ///< elements of which every bit counts all the same, or null
};

} // namespace harness
