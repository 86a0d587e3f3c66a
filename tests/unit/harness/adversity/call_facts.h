#pragma once

#include "harness/adversity/common.h"

namespace harness {

/// A call with one size, as far as it may explain why it failed or passed.
inline CallFacts call(std::size_t C, bool failed, std::set<std::string> circumstances = {},
                      std::size_t number = 1) {
    return {Extents{{"C", C}}, std::move(circumstances), number, failed, {}, {}, false, {}};
}

} // namespace harness
