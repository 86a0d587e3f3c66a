#pragma once

#include "subject/protocol.h"

#include <cstddef>
#include <cstdint>
#include <sys/mman.h>

namespace subject::shim {

/// The pages that the present call must not write, while there are any.
struct KeptPages {
    std::byte* first = nullptr;
    std::size_t bytes = 0;
    Control* control = nullptr;
};
inline KeptPages kept_pages;

inline void give_kept_pages_back() {
    mprotect(kept_pages.first, kept_pages.bytes, PROT_READ | PROT_WRITE);
    kept_pages = {};
}

/// Whether an access to `address` failed because the page is kept. It is noted, and succeeds from now on.
inline bool is_kept(const void* address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const auto first = reinterpret_cast<std::uintptr_t>(kept_pages.first);
    if (at < first || at - first >= kept_pages.bytes) return false;
    kept_pages.control->kept_written = 1;
    give_kept_pages_back();
    return true;
}

/// Keeps whole pages of the arena as long as it lives.
class Kept {
  public:
    Kept(Control& control, std::byte* first, std::size_t bytes) {
        if (mprotect(first, bytes, PROT_READ) == 0) kept_pages = {first, bytes, &control};
    }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;
    ~Kept() {
        if (kept_pages.first != nullptr) give_kept_pages_back();
    }
};

} // namespace subject::shim
