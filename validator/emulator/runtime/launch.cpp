#include "runtime/block.h"
#include "runtime/errors.h"
#include "runtime/faults.h"
#include "runtime/findings.h"
#include "runtime/memory.h"
#include "runtime/observer.h"
#include "runtime/shared_memory.h"
#include "runtime/streams.h"

#include <memory>

namespace cuda_emulator {

using emulator::FindingKind;

namespace {

/// The limits of every device of compute capability 5.0 to 9.0.
cudaError_t check_limits(const Configuration& c) {
    const auto within = [](unsigned int v, unsigned int most) { return v >= 1 && v <= most; };
    const bool grid = within(c.grid.x, 0x7fffffffu) && within(c.grid.y, 65535) && within(c.grid.z, 65535);
    const bool sides = within(c.block.x, 1024) && within(c.block.y, 1024) && within(c.block.z, 64);
    if (!grid || !sides || c.block.x * c.block.y * c.block.z > max_threads)
        return cudaErrorInvalidConfiguration;
    return c.dynamic_shared > shared_limit ? cudaErrorInvalidValue : cudaSuccess;
}

std::string sides(const dim3& d) {
    return std::to_string(d.x) + " x " + std::to_string(d.y) + " x " + std::to_string(d.z);
}

void report_refused(const Configuration& c, cudaError_t error) {
    report({.kind = FindingKind::launch_refused,
            .message = error == cudaErrorInvalidValue
                           ? "A launch asks for " + count_of(c.dynamic_shared, "byte") +
                                 " of dynamic shared memory: a block has at most 48 KiB."
                           : "No device accepts a launch of " + sides(c.grid) + " blocks of " +
                                 sides(c.block) +
                                 " threads: each side is at least 1, a block has at most 1024 threads, and a "
                                 "grid at most 65535 in y and z.",
            .kernel = c.kernel,
            .thread = {},
            .where = {c.file, c.line, 0},
            .other = {},
            .other_thread = {}});
}

emulator::Finding overrun(const std::string& message) {
    return {.kind = FindingKind::out_of_bounds,
            .message = message,
            .kernel = current_launch->kernel,
            .thread = {},
            .where = at_line(current_launch->line),
            .other = {},
            .other_thread = {}};
}

/// Writes outside of allocations that hit a guard zone: found after the fact, so only the launch can be
/// named.
void check_guards() {
    std::ptrdiff_t where = 0;
    while (const Allocation* a = damaged_allocation(&where)) {
        const bool behind = where >= 0;
        const auto distance =
            static_cast<std::uint64_t>(behind ? where - static_cast<std::ptrdiff_t>(a->bytes) : -where);
        report(overrun("The kernel wrote " + (distance == 0 ? "just" : count_of(distance, "byte")) +
                       (behind ? " past the end" : " in front") + " of an allocation of " +
                       count_of(a->bytes, "byte") + "."));
        block.aborted = true;
        block.error = cudaErrorIllegalAddress;
    }
}

bool check_shared_guard() {
    const long distance = damage_behind_dynamic_shared();
    if (distance < 0) return true;
    report(overrun("The kernel wrote " +
                   (distance == 0 ? "just" : count_of(static_cast<std::uint64_t>(distance), "byte")) +
                   " past the end of the " + count_of(current_launch->dynamic_shared, "byte") +
                   " of dynamic shared memory that the launch asked for."));
    block.aborted = true;
    block.error = cudaErrorIllegalAddress;
    return false;
}

void run_grid(const Configuration& c, const Work& work) {
    const std::uint32_t threads = c.block.x * c.block.y * c.block.z;
    for (unsigned int z = 0; z < c.grid.z; ++z)
        for (unsigned int y = 0; y < c.grid.y; ++y)
            for (unsigned int x = 0; x < c.grid.x; ++x) {
                cuda_emulator_block_index = {x, y, z};
                shared_block_begins();
                if (observer) observer->block_begins();
                if (!run_block(work, threads)) return;
                if (!check_shared_guard()) return;
            }
}

/// A launch whose turn has come.
void execute(const Configuration& c, const Work& work) {
    if (device_is_dead()) return;
    current_launch = &c;
    ++cuda_emulator_launch_number;
    cuda_emulator_block_size = c.block;
    cuda_emulator_grid_size = c.grid;
    block.aborted = false;
    shared_launch_begins(c.dynamic_shared);
    if (observer) observer->launch_begins(c, work);
    in_kernel = true;
    if (kernel_watcher != nullptr) kernel_watcher(c.kernel, c.line);
    {
        const FaultGuard guard;
        run_grid(c, work);
    }
    in_kernel = false;
    if (kernel_watcher != nullptr) kernel_watcher(nullptr, 0);
    if (observer) observer->launch_ends();
    check_guards();
    if (block.aborted) kernel_failed(block.error);
    current_launch = nullptr;
}

struct Owned {
    Configuration configuration;
    Work work;

    Owned(const Configuration& c, const Work& w) : configuration(c), work(w) {}
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() { work.destroy(work.data); }
};

} // namespace

void submit(const Configuration& configuration, const Work& work) {
    const auto owned = std::make_shared<Owned>(configuration, work);
    const Call call;
    if (call.broken()) return;
    ++counters.launches;
    if (is_default_stream(configuration.stream)) ++counters.default_stream_work;
    if (const cudaError_t refused = check_limits(configuration); finish(refused) != cudaSuccess)
        return report_refused(configuration, refused);
    enqueue(configuration.stream, [owned] { execute(owned->configuration, owned->work); });
}

void enter_kernel(const char* kernel, unsigned int launch_bounds, int line) {
    if (!in_kernel) {
        std::fprintf(stderr, "line %d: %s is a kernel: it can only be launched, %s<<<grid, block>>>(...)\n",
                     line, kernel, kernel);
        std::abort();
    }
    if (block.threads > launch_bounds)
        abort_kernel(cudaErrorInvalidConfiguration, FindingKind::launch_bounds,
                     "A block of " + std::to_string(block.threads) +
                         " threads exceeds the kernel's __launch_bounds__(" + std::to_string(launch_bounds) +
                         ").",
                     line);
}

void fence() {
    if (in_kernel && observer) observer->fence();
}

void record_atomic(const void* address, std::size_t bytes) {
    if (in_kernel && observer)
        observer->atomic(address, static_cast<std::uint32_t>(bytes), __builtin_return_address(0));
}

void pause_thread() {
    if (!in_kernel || block.threads == 1) return;
    block.ready.push(block.current);
    wait_for_others();
}

void note_failed_exchange() {
    // A thread that spins on a lock must let the owner run; a device would.
    static std::uint32_t calls = 0;
    if (++calls % 256 == 0) pause_thread();
}

void trap(int line) {
    if (!in_kernel) std::abort();
    abort_kernel(cudaErrorLaunchFailure, FindingKind::device_trap, "The kernel called __trap().", line);
}

void assertion_failed(const char* expression, const char* file, int line, const char* function) {
    if (!in_kernel) {
        std::fprintf(stderr, "%s:%d: %s: Assertion `%s' failed.\n", file, line, function, expression);
        std::abort();
    }
    abort_kernel(cudaErrorAssert, FindingKind::device_assert,
                 std::string("Assertion `") + expression + "' failed in " + function + ".", line);
}

} // namespace cuda_emulator
