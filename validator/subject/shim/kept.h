#pragma once

#include "subject/protocol.h"

#include <cstddef>
#include <cstdint>
#include <sys/mman.h>

namespace subject::shim {

/// The pages that the present call must not write, while there are any.
inline KeptPages kept_pages;
inline std::byte* kept_arena = nullptr;
inline Control* kept_by = nullptr;

inline bool protect_kept(int protection) {
    bool all = true;
    for (std::uint64_t i = 0; i < kept_pages.count; ++i)
        all &=
            mprotect(kept_arena + kept_pages.first + i * kept_pages.step, kept_pages.bytes, protection) == 0;
    return all;
}

inline void give_kept_pages_back() {
    protect_kept(PROT_READ | PROT_WRITE);
    kept_by = nullptr;
}

/// Whether an access to `address` failed because the page is kept. It is noted, and succeeds from now on.
inline bool is_kept(const void* address) {
    if (kept_by == nullptr) return false;
    const std::uintptr_t from_first = reinterpret_cast<std::uintptr_t>(address) -
                                      reinterpret_cast<std::uintptr_t>(kept_arena + kept_pages.first);
    if (from_first / kept_pages.step >= kept_pages.count || from_first % kept_pages.step >= kept_pages.bytes)
        return false;
    kept_by->kept_written = 1;
    give_kept_pages_back();
    return true;
}

/// Keeps whole pages of the arena as long as it lives.
class KeptScope {
  public:
    KeptScope(Control& control, std::byte* arena) {
        kept_pages = control.kept; // which the submission may overwrite
        kept_arena = arena;
        kept_by = &control;
        if (!protect_kept(PROT_READ)) give_kept_pages_back();
    }
    KeptScope(const KeptScope&) = delete;
    KeptScope& operator=(const KeptScope&) = delete;
    ~KeptScope() {
        if (kept_by != nullptr) give_kept_pages_back();
    }
};

} // namespace subject::shim
