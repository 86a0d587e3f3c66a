#include "runtime/grid.h"

#include "runtime/findings.h"
#include "runtime/observer.h"
#include "runtime/shared_memory.h"
#include "runtime/switch.h"

#include <algorithm>
#include <deque>
#include <memory>

namespace cuda_emulator {

using emulator::FindingKind;

namespace {

/// A block with what it left in shared memory while others run.
struct Resident {
    Block block;
    SharedContents shared;
};

bool shared_is_intact() {
    const long distance = damage_behind_dynamic_shared();
    if (distance < 0) return true;
    report_overrun("The kernel wrote " +
                   (distance == 0 ? "just" : count_of(static_cast<std::uint64_t>(distance), "byte")) +
                   " past the end of the " + count_of(current_launch->dynamic_shared, "byte") +
                   " of dynamic shared memory that the launch asked for.");
    execution.aborted = true;
    execution.error = cudaErrorIllegalAddress;
    return false;
}

class GridRun {
  public:
    GridRun(const Configuration& c, LaunchOrder order)
        : order_(order), grid_(c.grid), threads_(c.block.x * c.block.y * c.block.z),
          blocks_(std::uint64_t{c.grid.x} * c.grid.y * c.grid.z), capacity_(resident_blocks(c)),
          thread_order_(order.threads(threads_)) {
        execution.thread_order = thread_order_.data();
    }

    void run() {
        std::uint64_t seen = execution.progress;
        std::uint64_t idle_turns = 0;
        while (!execution.aborted && (begun_ < blocks_ || !waiting_.empty())) {
            if (begun_ < blocks_ && waiting_.size() < capacity_)
                begin_next();
            else
                continue_next();
            release_grid_barrier();
            idle_turns = execution.progress == seen ? idle_turns + 1 : 0;
            seen = execution.progress;
            if (!execution.aborted && idle_turns > max_idle_turns()) report_deadlock();
        }
        block = nullptr;
        if (execution.aborted) fibers.abandon_all();
    }

  private:
    /// Turns of blocks in which nothing but pauses happens: few where many threads pause in each.
    std::uint64_t max_idle_turns() const {
        constexpr std::uint64_t pauses = 200'000, rounds = 16;
        return std::max(pauses / threads_, rounds * waiting_.size());
    }

    void begin_next() {
        std::unique_ptr<Resident> next = std::move(spare_);
        if (!next) next = std::make_unique<Resident>();
        const std::uint64_t number = order_.block_at(begun_++, blocks_);
        block = &next->block;
        block->number = static_cast<std::uint32_t>(number);
        block->index = {static_cast<unsigned int>(number % grid_.x),
                        static_cast<unsigned int>(number / grid_.x % grid_.y),
                        static_cast<unsigned int>(number / grid_.x / grid_.y)};
        cuda_emulator_block_index = block->index;
        prepare_block(threads_);
        shared_block_begins();
        if (observer) observer->block_begins();
        run_current(std::move(next));
    }

    void continue_next() {
        std::unique_ptr<Resident> next = std::move(waiting_.front());
        waiting_.pop_front();
        if (next->block.ready.empty()) { // at the grid's barrier, all of it
            waiting_.push_back(std::move(next));
            return;
        }
        block = &next->block;
        cuda_emulator_block_index = block->index;
        restore_shared(next->shared);
        if (observer) observer->block_continues(block->number);
        run_current(std::move(next));
    }

    void run_current(std::unique_ptr<Resident> resident) {
        run_block();
        if (execution.aborted || !shared_is_intact()) return;
        Block& b = resident->block;
        if (b.exited == b.threads) {
            spare_ = std::move(resident);
            return;
        }
        if (b.ready.empty() && (b.at_grid_barrier.empty() || b.waiting_count > 0)) {
            report_stuck_block();
            execution.error = cudaErrorLaunchFailure;
            execution.aborted = true;
            return;
        }
        save_shared(resident->shared);
        if (observer) observer->block_put_aside();
        waiting_.push_back(std::move(resident));
    }

    /// Lets all threads go on once each of the grid's has come.
    void release_grid_barrier() {
        std::uint64_t arrived = 0;
        for (const auto& resident : waiting_)
            arrived += resident->block.at_grid_barrier.size();
        if (arrived == 0 || arrived < blocks_ * threads_) return;
        for (const auto& resident : waiting_) {
            block = &resident->block;
            for (Fiber* fiber : block->at_grid_barrier)
                make_ready(fiber);
            block->at_grid_barrier.clear();
        }
        if (observer) observer->grid_barrier();
    }

    void report_deadlock() {
        const Block& first = waiting_.front()->block;
        block = &waiting_.front()->block;
        cuda_emulator_block_index = first.index;
        emulator::Finding finding{
            .kind = FindingKind::deadlock, .message = {}, .kernel = current_launch->kernel};
        const bool barrier = std::any_of(waiting_.begin(), waiting_.end(),
                                         [](const auto& r) { return !r->block.at_grid_barrier.empty(); });
        if (barrier)
            finding.message =
                "Some threads wait in grid.sync(), and the others have returned or wait elsewhere: "
                "every thread of the grid must reach each grid.sync().";
        else if (begun_ < blocks_)
            finding.message =
                "All blocks that the device has space for wait in a loop for what no thread does: "
                "the blocks that could do it begin only when one of these ends.";
        else
            finding.message = "Threads wait in a loop for a value that no thread will write.";
        const Fiber* fiber =
            barrier && !first.at_grid_barrier.empty() ? first.at_grid_barrier.front() : block->ready.pop();
        finding.thread = thread_id(fiber->thread);
        const int line = first.waits_at[fiber->thread];
        finding.where = at_line(line != 0 ? line : current_launch->line);
        report(std::move(finding));
        execution.error = cudaErrorLaunchTimeout;
        execution.aborted = true;
    }

    LaunchOrder order_;
    dim3 grid_;
    std::uint32_t threads_;
    std::uint64_t blocks_, begun_ = 0, capacity_;
    std::vector<std::uint16_t> thread_order_;
    std::deque<std::unique_ptr<Resident>> waiting_;
    std::unique_ptr<Resident> spare_;
};

} // namespace

std::uint32_t blocks_of_a_multiprocessor(std::uint32_t threads, std::size_t shared_bytes) {
    constexpr std::uint32_t threads_held = 2048, blocks_held = 32;
    const std::uint32_t rounded = (threads + warp_lanes - 1) / warp_lanes * warp_lanes;
    std::uint32_t held = std::min(threads_held / rounded, blocks_held);
    if (shared_bytes > 0)
        held = std::min<std::uint32_t>(held, shared_limit_optin / static_cast<std::uint32_t>(shared_bytes));
    return held;
}

std::uint64_t resident_blocks(const Configuration& c) {
    return std::uint64_t{multiprocessors} *
           std::max(blocks_of_a_multiprocessor(c.block.x * c.block.y * c.block.z, c.dynamic_shared), 1u);
}

void run_grid(const Configuration& c, const Work& work, LaunchOrder order) {
    execution = {};
    execution.work = &work;
    GridRun(c, order).run();
}

void grid_barrier(int line) {
    if (!in_kernel) return;
    if (!current_launch->cooperative)
        abort_kernel(cudaErrorLaunchFailure, FindingKind::divergent_barrier,
                     "grid.sync() needs a cooperative launch: use cudaLaunchCooperativeKernel.", line);
    block->at_grid_barrier.push_back(block->current);
    block_until_ready(line);
}

void report_overrun(const std::string& message) {
    report({.kind = FindingKind::out_of_bounds,
            .message = message,
            .kernel = current_launch->kernel,
            .thread = {},
            .where = at_line(current_launch->line),
            .other = {},
            .other_thread = {}});
}

} // namespace cuda_emulator
