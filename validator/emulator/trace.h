#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// What the emulator has to say about kernels that ran, as plain values. A worker fills a Trace and hands it
/// out as JSON; nothing in it is trusted, since the learner's code runs in the same process.
namespace emulator {

/// A place in the source. `file` and `line` are known at once for barriers and launches; an access carries
/// the offset of its instruction in the program instead, until `apply_locations` names the line. 0 means "not
/// known".
struct Location {
    std::string file;
    int line = 0;
    std::uint64_t offset = 0;

    bool operator==(const Location&) const = default;
};

enum class FindingKind {
    out_of_bounds,       ///< an access that is not inside one allocation or shared variable
    use_after_free,      ///< an access to memory that was freed
    host_memory,         ///< a kernel touches memory of the host, or the host memory of the device
    misaligned,          ///< an address that is no multiple of the access's size
    uninitialized_read,  ///< a read of bytes that nothing has written
    race_in_block,       ///< two threads of a block, no barrier between them, at least one writes
    race_between_blocks, ///< two blocks of a launch, at least one writes
    divergent_barrier,   ///< part of a block does not reach the barrier that the rest waits at
    missing_lanes,       ///< lanes named in a mask do not take part
    illegal_address,     ///< a crash in a kernel
    stack_overflow,      ///< a thread used up its stack, as endless recursion does
    division_by_zero,    ///< an integer division by zero in a kernel
    shared_memory_limit, ///< the block's shared memory exceeds 48 KiB
    launch_refused,      ///< a grid or block that no device accepts
    launch_bounds,       ///< a block larger than __launch_bounds__ allows
    device_assert,       ///< assert() failed in a kernel
    device_trap,         ///< __trap()
    invalid_free,        ///< freed twice, or never allocated
    not_launched,        ///< a kernel called like a function, or the runtime called from a kernel
    device_exception,    ///< an exception left a kernel
};
const char* to_string(FindingKind kind);

/// One thread of a launch.
struct ThreadId {
    std::array<std::uint32_t, 3> block{};
    std::array<std::uint32_t, 3> thread{};

    bool operator==(const ThreadId&) const = default;
};

/// One kind of trouble at one place; repetitions are counted, the first one is described.
struct Finding {
    FindingKind kind{};
    std::string message{}; ///< one sentence, without the places
    std::string kernel{};
    ThreadId thread{};
    Location where{};
    Location other{};        ///< the second access of a race, the other barrier
    ThreadId other_thread{}; ///< who made the other access
    std::uint64_t count = 1;
};

enum class AccessKind { load, store, atomic };
const char* to_string(AccessKind kind);

/// The traffic of one instruction. A request is one execution of it by a warp.
struct LineTraffic {
    Location where;
    AccessKind kind{};
    bool shared = false;
    std::uint32_t bytes_per_lane = 0;
    std::uint64_t requests = 0;
    std::uint64_t accesses = 0;       ///< by single lanes
    std::uint64_t sectors = 0;        ///< global memory: distinct 32-byte sectors, summed over requests
    std::uint64_t useful_bytes = 0;   ///< global memory: distinct bytes, summed over requests
    std::uint64_t wavefronts = 0;     ///< shared memory: passes over the 32 banks
    std::uint64_t bank_conflicts = 0; ///< shared memory: passes beyond the fewest possible
};

/// The global and shared memory traffic of one kernel, summed over its launches.
struct KernelTraffic {
    std::string kernel;
    Location launched;
    std::uint64_t launches = 0;
    std::uint64_t threads = 0;
    std::uint64_t sectors = 0;
    std::uint64_t bytes_moved = 0;  ///< 32 * sectors
    std::uint64_t useful_bytes = 0; ///< distinct bytes of each request, summed
    std::uint64_t minimum_bytes =
        0; ///< distinct bytes read plus distinct bytes written, of each launch, summed
    std::uint64_t bank_conflicts = 0;
    std::vector<LineTraffic> lines;

    /// Share of the moved bytes that were asked for: 1 when every sector is fully used, 0 without traffic.
    double coalescing_efficiency() const {
        return bytes_moved == 0 ? 0.0 : static_cast<double>(useful_bytes) / static_cast<double>(bytes_moved);
    }
};

/// What the program asked of the runtime, for exercises that forbid hidden synchronisation or allocation.
struct Counters {
    std::uint64_t launches = 0;
    std::uint64_t synchronizations = 0; ///< calls that make the host wait for the device
    std::uint64_t allocations = 0;
    std::uint64_t frees = 0;
    std::uint64_t default_stream_work = 0; ///< launches, copies and fills on the default stream

    bool operator==(const Counters&) const = default;
};

struct Trace {
    bool traced = false; ///< built with instrumentation: accesses were seen
    std::vector<Finding> findings;
    std::vector<KernelTraffic> kernels;
    Counters counters;
};

} // namespace emulator
