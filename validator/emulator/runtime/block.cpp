#include "runtime/block.h"

#include "runtime/findings.h"
#include "runtime/observer.h"
#include "runtime/order.h"
#include "runtime/switch.h"

#include <algorithm>

extern "C" {
uint3 cuda_emulator_thread_index{};
uint3 cuda_emulator_block_index{};
dim3 cuda_emulator_block_size;
dim3 cuda_emulator_grid_size;
std::uint64_t cuda_emulator_launch_number = 0;
}

namespace cuda_emulator {

using boost::context::detail::transfer_t;

Block* block = nullptr;
Execution execution;
FiberPool fibers;
bool in_kernel = false;
const Configuration* current_launch = nullptr;

namespace {

void run_one(Fiber* me, std::uint32_t thread) {
    me->thread = thread;
    const uint3 size = cuda_emulator_block_size;
    me->index = size.x == block->threads
                    ? uint3{thread, 0, 0} // by far the most common, and the divisions are slow
                    : uint3{thread % size.x, thread / size.x % size.y, thread / (size.x * size.y)};
    block->fiber_of[thread] = me;
    cuda_emulator_thread_index = me->index;
    try {
        execution.work->run(execution.work->data);
    } catch (...) {
        abort_kernel(cudaErrorLaunchFailure, emulator::FindingKind::device_exception,
                     "An exception left the kernel: device code cannot throw.", current_launch->line);
    }
    ++block->exited;
    note_progress();
    const std::uint32_t warp = thread / warp_lanes;
    Warp& mine = block->warps[warp];
    mine.exited |= 1u << thread % warp_lanes;
    if (!mine.meetings.empty()) lane_stopped(warp);
    if (observer && mine.exited == mine.existing) observer->warp_ends(warp);
}

/// What every fiber does for ever: start threads as long as nobody else is ready, then make room.
void run_threads() {
    for (;;) {
        Fiber* me = block->current;
        // One thread at least: a thread that spins is always ready, and must not keep others from starting.
        if (block->started < block->threads) do {
                run_one(me, execution.thread_order[block->started++]);
            } while (block->started < block->threads && block->ready.empty());
        fibers.give_back(me);
        go_on_elsewhere(me, false);
    }
}

} // namespace

void fiber_main(transfer_t from) {
    *static_cast<void**>(from.data) = from.fctx;
    run_threads();
}

void make_ready(Fiber* fiber) {
    block->warps[fiber->thread / warp_lanes].blocked &= ~(1u << fiber->thread % warp_lanes);
    block->ready.push(fiber);
    note_progress();
}

void pause_thread() {
    if (!in_kernel) return;
    note_order_matters();
    step_aside();
}

void waited() {
    if (in_kernel) note_progress();
}

void poll() {
    constexpr std::uint32_t looks = 64;
    static std::uint32_t calls = 0;
    if (!in_kernel || ++calls % looks != 0) return;
    pause_thread();
    note_progress();
}

void step_aside() {
    Fiber* me = block->current;
    Warp& warp = block->warps[me->thread / warp_lanes];
    warp.paused |= 1u << me->thread % warp_lanes;
    if (!warp.meetings.empty()) lane_stopped(me->thread / warp_lanes);
    block->ready.push(me);
    if (block->started < block->threads) {
        resume(fibers.take(), &me->context); // those that spin must not keep the others from starting
    } else if (++block->idle > block->ready.size()) {
        // Everybody has had a turn since anything happened: another block may do what this one waits for.
        block->idle = 0;
        switch_to(execution.scheduler, &me->context);
    } else {
        go_on_elsewhere(me, false);
    }
    block->current = me;
    cuda_emulator_thread_index = me->index;
}

void prepare_block(std::uint32_t threads) {
    block->threads = threads;
    block->started = block->exited = block->waiting_count = block->idle = 0;
    block->at_grid_barrier.clear();
    block->tiles.clear();
    block->ready.clear();
    std::fill_n(block->waits_at.begin(), threads, 0);
    for (std::uint32_t warp = 0; warp * warp_lanes < threads; ++warp) {
        const std::uint32_t lanes = threads - warp * warp_lanes;
        block->warps[warp].existing = lanes >= warp_lanes ? ~0u : (1u << lanes) - 1;
        block->warps[warp].exited = block->warps[warp].blocked = block->warps[warp].paused = 0;
        block->warps[warp].meetings.clear();
    }
}

void run_block() {
    resume(block->ready.empty() ? fibers.take() : block->ready.pop(), &execution.scheduler);
    block->current = nullptr;
}

void abort_kernel(cudaError_t error) {
    execution.aborted = true;
    execution.error = error;
    void* nowhere = nullptr;
    switch_to(execution.scheduler, &nowhere);
    __builtin_unreachable();
}

void abort_kernel(cudaError_t error, emulator::FindingKind kind, const std::string& message, int line) {
    report({.kind = kind,
            .message = message,
            .kernel = current_launch->kernel,
            .thread = thread_id(block->current->thread),
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
