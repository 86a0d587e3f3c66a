#pragma once

#include "subject/slots.h"

#include <cstddef>
#include <sys/mman.h>

namespace subject::shim {

/// Makes the page after each slot inaccessible; the driver's view of the arena stays as it is.
inline bool guard_slots(std::byte* arena) {
    for (std::size_t slot = 0; slot < slot_count; ++slot)
        if (mprotect(arena + guard_of(slot), page, PROT_NONE) != 0) return false;
    return true;
}

} // namespace subject::shim
