#pragma once

#include "runtime/block.h"

#include <boost/context/detail/fcontext.hpp>

#include <cstdint>

// How a thread gives way to another. All of it is inline: a processor does not foresee the returns behind a
// switch, and each frame is another line of the stack that is no longer in the nearest cache.
namespace cuda_emulator {

/// What every fiber runs.
void fiber_main(boost::context::detail::transfer_t from);

/// Leaves for `to`; `mine` receives the place to come back to. Whoever is entered stores it, as the last
/// thing the switch does.
[[gnu::always_inline]] inline void switch_to(void* to, void** mine) {
    const boost::context::detail::transfer_t from = boost::context::detail::jump_fcontext(to, mine);
    *static_cast<void**>(from.data) = from.fctx;
}

/// The place where a fiber goes on, or begins.
inline void* entry(Fiber* fiber) {
    if (fiber->context == nullptr) {
        // Stacks begin at different offsets in their first page, or all would compete for the same cache
        // lines.
        const std::size_t colour =
            reinterpret_cast<std::uintptr_t>(fiber->low) / FiberPool::stack_bytes % 32 * 64;
        fiber->context = boost::context::detail::make_fcontext(fiber->low + FiberPool::stack_bytes - colour,
                                                               FiberPool::stack_bytes - colour, fiber_main);
    }
    return fiber->context;
}

[[gnu::always_inline]] inline void resume(Fiber* fiber, void** mine) {
    block->current = fiber;
    switch_to(entry(fiber), mine);
}

/// Where to go when the current fiber cannot: a thread that is ready, the next one to start, else the launch.
/// A fiber that is itself the only one ready goes on at once, after those that have not started.
[[gnu::always_inline]] inline void go_on_elsewhere(Fiber* me, bool start_new) {
    Fiber* next = block->ready.empty() ? nullptr : block->ready.pop();
    const bool more = start_new && block->started < block->threads;
    if (next == me) {
        if (!more) return;
        block->ready.push(me);
        next = nullptr;
    }
    if (next == nullptr && more) next = fibers.take();
    block->current = next;
    switch_to(next != nullptr ? entry(next) : execution.scheduler, &me->context);
}

/// Lets the current thread wait; returns when somebody has made it ready.
[[gnu::always_inline]] inline void wait_for_others() {
    Fiber* me = block->current;
    go_on_elsewhere(me, true);
    block->current = me;
    cuda_emulator_thread_index = me->index;
}

/// The same, and the thread counts as blocked until `make_ready`.
[[gnu::always_inline]] inline void block_until_ready(int line) {
    Fiber* me = block->current;
    const std::uint32_t thread = me->thread;
    Warp& warp = block->warps[thread / warp_lanes];
    block->waits_at[thread] = line;
    warp.blocked |= 1u << thread % warp_lanes;
    if (!warp.meetings.empty()) lane_stopped(thread / warp_lanes);
    wait_for_others();
    block->waits_at[thread] = 0;
}

} // namespace cuda_emulator
