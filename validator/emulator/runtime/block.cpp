#include "runtime/block.h"

#include "runtime/findings.h"
#include "runtime/observer.h"

#include <boost/context/detail/fcontext.hpp>

extern "C" {
uint3 cuda_emulator_thread_index{};
uint3 cuda_emulator_block_index{};
dim3 cuda_emulator_block_size;
dim3 cuda_emulator_grid_size;
std::uint64_t cuda_emulator_launch_number = 0;
}

namespace cuda_emulator {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

Block block;
bool in_kernel = false;
const Configuration* current_launch = nullptr;

namespace {

/// Leaves for `to`; `mine` receives the place to come back to. Whoever is entered stores it, as the last
/// thing the switch does.
void switch_to(void* to, void** mine) {
    const transfer_t from = jump_fcontext(to, mine);
    *static_cast<void**>(from.data) = from.fctx;
}

void run_threads();

void fiber_main(transfer_t from) {
    *static_cast<void**>(from.data) = from.fctx;
    run_threads();
}

/// The place where a fiber goes on, or begins.
void* entry(Fiber* fiber) {
    if (fiber->context == nullptr) {
        // Stacks begin at different offsets in their first page, or all would compete for the same cache
        // lines.
        const std::size_t colour =
            reinterpret_cast<std::uintptr_t>(fiber->low) / FiberPool::stack_bytes % 32 * 64;
        fiber->context = make_fcontext(fiber->low + FiberPool::stack_bytes - colour,
                                       FiberPool::stack_bytes - colour, fiber_main);
    }
    return fiber->context;
}

void resume(Fiber* fiber, void** mine) {
    block.current = fiber;
    switch_to(entry(fiber), mine);
}

/// Where to go when the current fiber cannot: a thread that is ready, the next one to start, else the launch.
/// A fiber that is itself the only one ready goes on at once, after those that have not started.
void go_on_elsewhere(Fiber* me, bool start_new) {
    Fiber* next = block.ready.empty() ? nullptr : block.ready.pop();
    const bool more = start_new && block.started < block.threads;
    if (next == me) {
        if (!more) return;
        block.ready.push(me);
        next = nullptr;
    }
    if (next != nullptr)
        resume(next, &me->context);
    else if (more)
        resume(block.fibers.take(), &me->context);
    else
        switch_to(block.scheduler, &me->context);
}

void step(uint3& index) {
    if (++index.x < cuda_emulator_block_size.x) return;
    index.x = 0;
    if (++index.y < cuda_emulator_block_size.y) return;
    index.y = 0;
    ++index.z;
}

void run_one(Fiber* me, std::uint32_t thread) {
    me->thread = thread;
    me->index = block.next_index;
    step(block.next_index);
    block.fiber_of[thread] = me;
    cuda_emulator_thread_index = me->index;
    try {
        block.work->run(block.work->data);
    } catch (...) {
        abort_kernel(cudaErrorLaunchFailure, emulator::FindingKind::device_exception,
                     "An exception left the kernel: device code cannot throw.", current_launch->line);
    }
    ++block.exited;
    const std::uint32_t warp = thread / warp_lanes;
    Warp& mine = block.warps[warp];
    mine.exited |= 1u << thread % warp_lanes;
    if (!mine.meetings.empty()) lane_exited(warp);
    if (observer && mine.exited == mine.existing) observer->warp_ends(warp);
}

/// What every fiber does for ever: start threads as long as nobody else is ready, then make room.
void run_threads() {
    for (;;) {
        Fiber* me = block.current;
        while (block.started < block.threads && block.ready.empty())
            run_one(me, block.started++);
        block.fibers.give_back(me);
        go_on_elsewhere(me, false);
    }
}

} // namespace

void wait_for_others() {
    Fiber* me = block.current;
    go_on_elsewhere(me, true);
    block.current = me;
    cuda_emulator_thread_index = me->index;
}

bool run_block(const Work& work, std::uint32_t threads) {
    block.work = &work;
    block.threads = threads;
    block.started = block.exited = block.waiting_count = 0;
    block.aborted = false;
    block.next_index = {0, 0, 0};
    for (std::uint32_t warp = 0; warp * warp_lanes < threads; ++warp) {
        const std::uint32_t lanes = threads - warp * warp_lanes;
        block.warps[warp].existing = lanes >= warp_lanes ? ~0u : (1u << lanes) - 1;
        block.warps[warp].exited = 0;
        block.warps[warp].meetings.clear();
    }
    resume(block.fibers.take(), &block.scheduler);
    if (!block.aborted && block.exited < threads) {
        report_stuck_block();
        block.error = cudaErrorLaunchFailure;
        block.aborted = true;
    }
    if (block.aborted) {
        block.ready.clear();
        block.fibers.abandon_all();
    }
    block.current = nullptr;
    return !block.aborted;
}

void abort_kernel(cudaError_t error) {
    block.aborted = true;
    block.error = error;
    void* nowhere = nullptr;
    switch_to(block.scheduler, &nowhere);
    __builtin_unreachable();
}

void abort_kernel(cudaError_t error, emulator::FindingKind kind, const std::string& message, int line) {
    report({.kind = kind,
            .message = message,
            .kernel = current_launch->kernel,
            .thread = thread_id(block.current->thread),
            .where = at_line(line)});
    abort_kernel(error);
}

emulator::Location at_line(int line) {
    return {current_launch->file, line, 0};
}

emulator::ThreadId thread_id(std::uint32_t thread) {
    const uint3 size = cuda_emulator_block_size;
    const uint3& at = cuda_emulator_block_index;
    return {{at.x, at.y, at.z}, {thread % size.x, thread / size.x % size.y, thread / (size.x * size.y)}};
}

} // namespace cuda_emulator
