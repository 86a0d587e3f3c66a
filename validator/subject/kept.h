#pragma once

#include "subject/protocol.h"
#include "subject/regions.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace subject {

/// What is not a call's to write.
enum class Kept : std::uint8_t {
    nothing,
    inputs,
    gaps,      ///< of one argument
    arguments, ///< all of them: the call has to be refused
};

/// The gaps between the rows of an argument.
struct Gaps {
    const std::byte* first = nullptr;
    std::size_t bytes = 0; ///< of each
    std::size_t step = 0;  ///< from one to the next
    std::size_t count = 0;
};

/// How the regions of a call have to lie for that.
Placing placing_for(Kept kept);

/// The pages that hold it, and nothing else. `end`: where the page after the last region begins that is not
/// in a slot.
KeptPages kept_pages(Kept kept, const Gaps& gaps, const std::vector<PlacedRegion>& regions, std::size_t end);

} // namespace subject
