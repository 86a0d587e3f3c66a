#pragma once

#include "cuda_runtime.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace cuda_emulator {

/// The stack on which one CUDA thread after another runs; a thread that has to wait keeps it until it is
/// done.
struct Fiber {
    void* context =
        nullptr;         ///< where to go on; null when the fiber has never run, or was given up in the middle
    char* low = nullptr; ///< lowest usable byte; below it lies a page that must not be touched
    std::uint32_t thread = 0;
    uint3 index{};
};

/// Stacks are made when needed and kept for good.
class FiberPool {
  public:
    static constexpr std::size_t stack_bytes = 64 * 1024;

    /// An idle fiber, the one used last first: its stack is still in the cache.
    Fiber* take();
    void give_back(Fiber* fiber) { idle_.push_back(fiber); }
    /// Makes every fiber idle again, whatever it was doing.
    void abandon_all();
    /// True if the address lies in the guard page of some stack.
    bool in_guard(const void* address) const;

  private:
    Fiber* make();

    std::vector<std::unique_ptr<Fiber>> all_;
    std::vector<Fiber*> idle_;
};

} // namespace cuda_emulator
