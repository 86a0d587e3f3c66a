#pragma once

#include "subject/protocol.h"

#include <cstddef>
#include <cstdint>
#include <sys/mman.h>

namespace subject::shim {

/// The pages that the present call must not write, while there are any.
inline std::byte* kept_arena = nullptr;
inline Control* kept_by = nullptr;

inline bool protect_kept(const KeptPages& pages, int protection) {
    bool all = true;
    for (std::uint64_t i = 0; i < pages.count; ++i)
        all &= mprotect(kept_arena + pages.first + i * pages.step, pages.bytes, protection) == 0;
    return all;
}

inline void give_kept_pages_back() {
    protect_kept(kept_by->kept, PROT_READ | PROT_WRITE);
    kept_by = nullptr;
}

/// Whether an access to `address` failed because the page is kept. It is noted, and succeeds from now on.
inline bool is_kept(const void* address) {
    if (kept_by == nullptr) return false;
    const KeptPages& pages = kept_by->kept;
    const std::uintptr_t from_first = reinterpret_cast<std::uintptr_t>(address) -
                                      reinterpret_cast<std::uintptr_t>(kept_arena + pages.first);
    const bool in_one = pages.count == 1
                            ? from_first < pages.bytes
                            : from_first / pages.step < pages.count && from_first % pages.step < pages.bytes;
    if (!in_one) return false;
    kept_by->kept_written = 1;
    give_kept_pages_back();
    return true;
}

/// Keeps whole pages of the arena as long as it lives.
class KeptScope {
  public:
    KeptScope(Control& control, std::byte* arena) {
        kept_arena = arena;
        kept_by = &control;
        if (!protect_kept(control.kept, PROT_READ)) give_kept_pages_back();
    }
    KeptScope(const KeptScope&) = delete;
    KeptScope& operator=(const KeptScope&) = delete;
    ~KeptScope() {
        if (kept_by != nullptr) give_kept_pages_back();
    }
};

} // namespace subject::shim
