#pragma once

#include "harness/adversity/common.h"

#include <functional>
#include <string>
#include <vector>

namespace harness {

/// Whether a property holds for a call; what a long argument holds is not known.
enum class Truth { no, yes, unknown };

/// Something that may be true of a call, and how it is said of the failing ones.
struct Property {
    std::function<Truth(const CallFacts&)> holds;
    std::string words;
    bool alone = true;        ///< may explain by itself
    bool paired = true;       ///< may explain together with another one
    bool alternative = false; ///< may explain beside another one: "where A, or where B"
};

/// Everything that can be said of these calls one by one: what is unusual about them, and of their sizes and
/// numbers where they are small, large, remainders or equal. Sizes and numbers that only some calls have are
/// left out, and so are all where a single call failed, as one call is at one size.
std::vector<Property> properties_of(const std::vector<CallFacts>& calls);

/// Whether the words are about what an argument holds.
bool is_content(const std::string& words);

bool has_size(const CallFacts& call, std::size_t size);

} // namespace harness
