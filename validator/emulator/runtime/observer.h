#pragma once

#include "cuda_runtime.h"

#include "emulator/trace.h"

#include "runtime/clocks.h"

#include <cstdint>

namespace cuda_emulator {

/// Listens to a launch as it runs. Present in trace builds only; every call comes from the thread that
/// launched.
class Observer {
  public:
    virtual ~Observer() = default;
    /// A task waits in its stream; it runs, and the host learns of its end or does not; it has ended.
    virtual void task_asked(const TaskPointer& task) = 0;
    virtual void task_begins(const TaskPointer& task, bool waited_for) = 0;
    virtual void task_ends() = 0;
    /// The present task uses memory without a kernel.
    virtual void used(const void* address, std::size_t bytes, emulator::AccessKind kind) = 0;
    /// The host has waited, and now knows of what its clock says.
    virtual void host_waited(const Clock& host) = 0;
    virtual void streams_forgotten() = 0;
    /// A call of a contract begins, and ends, for a caller whose work on the given stream `task` stands for.
    virtual void call_begins(const TaskPointer& task) = 0;
    virtual void call_ends(const TaskPointer& task) = 0;
    virtual void launch_begins(const Configuration& configuration, const Work& work) = 0;
    /// Whether the present launch begins with the last block and the last warp.
    virtual bool begins_with_the_last() const = 0;
    virtual void launch_ends() = 0;
    virtual void block_begins() = 0;
    /// The last thread of a warp has ended.
    virtual void warp_ends(std::uint32_t warp) = 0;
    /// All threads of the block have met.
    virtual void barrier() = 0;
    /// The given lanes of a warp have met in a __syncwarp.
    virtual void warp_barrier(std::uint32_t warp, std::uint32_t lanes) = 0;
    /// The threads of a tile of several warps have met.
    virtual void tile_barrier(std::uint32_t first_thread, std::uint32_t threads) = 0;
    virtual void fence(Scope scope) = 0;
    virtual void atomic(const void* address, std::uint32_t bytes, AtomicUse use, const void* instruction) = 0;
    /// The block waits for others, which run now.
    virtual void block_put_aside() = 0;
    /// A block that was put aside runs on, with its shared memory as it left it.
    virtual void block_continues(std::uint32_t block) = 0;
    /// All threads of the grid have met.
    virtual void grid_barrier() = 0;
    virtual void allocated(const void* address, std::size_t bytes, bool initialized) = 0;
    virtual void freed(const void* address) = 0;
    /// The host, a copy or a fill has written these bytes.
    virtual void initialized(const void* address, std::size_t bytes) = 0;
    virtual void copied(void* to, const void* from, std::size_t bytes) = 0;
    /// The allocation is not the present call's to write; but for these bytes.
    virtual void kept(const void* address) = 0;
    virtual void given(const void* address, std::size_t bytes) = 0;
    /// Moves the traffic seen so far into the trace.
    virtual void fill(emulator::Trace& trace) = 0;
    virtual void shared_placed(std::uint32_t offset, std::uint32_t bytes, const char* names) = 0;
};

/// Null in a plain build.
inline Observer* observer = nullptr;

} // namespace cuda_emulator
