#include "runtime/fiber.h"

#include <cerrno>
#include <new>
#include <sys/mman.h>

namespace cuda_emulator {

namespace {
constexpr std::size_t page_bytes = 4096;
}

Fiber* FiberPool::take() {
    if (idle_.empty()) return make();
    Fiber* fiber = idle_.back();
    idle_.pop_back();
    return fiber;
}

Fiber* FiberPool::make() {
    // MAP_NORESERVE: a thousand stacks are mapped for a large block, a page or two of each is used.
    void* memory = mmap(nullptr, page_bytes + stack_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    mprotect(memory, page_bytes, PROT_NONE);
    all_.push_back(std::make_unique<Fiber>());
    all_.back()->low = static_cast<char*>(memory) + page_bytes;
    return all_.back().get();
}

void FiberPool::abandon_all() {
    idle_.clear();
    for (const auto& fiber : all_) {
        fiber->context = nullptr;
        idle_.push_back(fiber.get());
    }
}

bool FiberPool::in_guard(const void* address) const {
    const auto* byte = static_cast<const char*>(address);
    for (const auto& fiber : all_)
        if (byte >= fiber->low - page_bytes && byte < fiber->low) return true;
    return false;
}

} // namespace cuda_emulator
