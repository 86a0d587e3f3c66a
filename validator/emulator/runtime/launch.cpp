#include "runtime/block.h"
#include "runtime/errors.h"
#include "runtime/faults.h"
#include "runtime/findings.h"
#include "runtime/grid.h"
#include "runtime/memory.h"
#include "runtime/observer.h"
#include "runtime/order.h"
#include "runtime/promises.h"
#include "runtime/rehearsal.h"
#include "runtime/shared_memory.h"
#include "runtime/streams.h"

#include <algorithm>
#include <memory>

namespace cuda_emulator {

using emulator::FindingKind;

namespace {

std::size_t dynamic_shared_limit = shared_limit;

/// The limits of every device of compute capability 5.0 to 9.0.
cudaError_t check_limits(const Configuration& c) {
    const auto within = [](unsigned int v, unsigned int most) { return v >= 1 && v <= most; };
    const bool grid = within(c.grid.x, 0x7fffffffu) && within(c.grid.y, 65535) && within(c.grid.z, 65535);
    const bool sides = within(c.block.x, 1024) && within(c.block.y, 1024) && within(c.block.z, 64);
    if (!grid || !sides || c.block.x * c.block.y * c.block.z > max_threads)
        return cudaErrorInvalidConfiguration;
    if (c.dynamic_shared > dynamic_shared_limit) return cudaErrorInvalidValue;
    const std::uint64_t blocks = std::uint64_t{c.grid.x} * c.grid.y * c.grid.z;
    return c.cooperative && blocks > resident_blocks(c) ? cudaErrorCooperativeLaunchTooLarge : cudaSuccess;
}

std::string sides(const dim3& d) {
    return std::to_string(d.x) + " x " + std::to_string(d.y) + " x " + std::to_string(d.z);
}

std::string reason(const Configuration& c, cudaError_t error) {
    if (error == cudaErrorInvalidValue)
        return "A launch asks for " + count_of(c.dynamic_shared, "byte") +
               " of dynamic shared memory: a block has at most " +
               (c.dynamic_shared > shared_limit_optin
                    ? "227 KiB."
                    : "48 KiB, unless cudaFuncSetAttribute raises the limit.");
    if (error == cudaErrorCooperativeLaunchTooLarge)
        return "A cooperative launch of " + sides(c.grid) + " blocks of " + sides(c.block) +
               " threads is too large: the device runs " + count_of(resident_blocks(c), "block") +
               " of this size at once.";
    return "No device accepts a launch of " + sides(c.grid) + " blocks of " + sides(c.block) +
           " threads: each side is at least 1, a block has at most 1024 threads, and a grid at most 65535 in "
           "y "
           "and z.";
}

void report_refused(const Configuration& c, cudaError_t error) {
    report({.kind = FindingKind::launch_refused,
            .message = reason(c, error),
            .kernel = c.kernel,
            .thread = {},
            .where = {c.file, c.line, 0},
            .other = {},
            .other_thread = {}});
}

/// Writes outside of allocations that hit a guard zone: found after the fact, so only the launch can be
/// named.
void check_guards() {
    std::ptrdiff_t where = 0;
    while (const Allocation* a = damaged_allocation(&where)) {
        const bool behind = where >= 0;
        const auto distance =
            static_cast<std::uint64_t>(behind ? where - static_cast<std::ptrdiff_t>(a->bytes) : -where);
        report_overrun(("The kernel wrote " + (distance == 0 ? "just" : count_of(distance, "byte")) +
                        (behind ? " past the end" : " in front") + " of an allocation of " +
                        count_of(a->bytes, "byte") + "."));
        execution.aborted = true;
        execution.error = cudaErrorIllegalAddress;
    }
}

/// A launch whose turn has come.
void execute(const Configuration& c, const Work& work) {
    if (device_is_dead()) return;
    current_launch = &c;
    ++cuda_emulator_launch_number;
    cuda_emulator_block_size = c.block;
    cuda_emulator_grid_size = c.grid;
    shared_launch_begins(c.dynamic_shared);
    if (observer) observer->launch_begins(c, work);
    in_kernel = true;
    if (kernel_watcher != nullptr) kernel_watcher(c.kernel, c.line);
    {
        const FaultGuard guard;
        run_grid(c, work, order_of(c));
    }
    in_kernel = false;
    if (kernel_watcher != nullptr) kernel_watcher(nullptr, 0);
    if (observer) observer->launch_ends();
    check_guards();
    if (execution.aborted) kernel_failed(execution.error);
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
    note_launch(configuration);
    if (const cudaError_t refused = check_limits(configuration); finish(refused) != cudaSuccess)
        return report_refused(configuration, refused);
    const AskedBy by(configuration.kernel, {configuration.file, configuration.line, 0});
    if (rehearsing())
        rehearse_work(configuration.stream, by);
    else
        enqueue(
            configuration.stream, [owned] { execute(owned->configuration, owned->work); }, by);
}

void enter_kernel(const char* kernel, unsigned int launch_bounds, int line) {
    if (!in_kernel) {
        std::fprintf(stderr, "line %d: %s is a kernel: it can only be launched, %s<<<grid, block>>>(...)\n",
                     line, kernel, kernel);
        std::abort();
    }
    if (block->threads > launch_bounds)
        abort_kernel(cudaErrorInvalidConfiguration, FindingKind::launch_bounds,
                     "A block of " + std::to_string(block->threads) +
                         " threads exceeds the kernel's __launch_bounds__(" + std::to_string(launch_bounds) +
                         ").",
                     line);
}

void fence(Scope scope) {
    if (in_kernel && observer) observer->fence(scope);
}

void record_atomic(const void* address, std::size_t bytes, AtomicUse use) {
    if (in_kernel && observer)
        observer->atomic(address, static_cast<std::uint32_t>(bytes), use, __builtin_return_address(0));
}

void compare_begins() {
    if (!in_kernel) return;
    note_order_matters();
    if (switches_here()) step_aside();
}

void atomic_done(bool works) {
    if (!in_kernel) return;
    note_order_matters();
    if (works) note_progress();
    // A thread that spins must let the others run; and orders that are meant to show what depends on them
    // part threads here.
    static std::uint32_t calls = 0;
    if ((!works && ++calls % 64 == 0) || switches_here()) step_aside();
}

long long clock_value() {
    static long long now = 0;
    if (in_kernel) note_progress();
    return now += 1000;
}

cudaError_t set_dynamic_shared_limit(int bytes) {
    const Call call;
    if (call.broken()) return call.broken();
    if (bytes < 0 || static_cast<std::uint32_t>(bytes) > shared_limit_optin)
        return finish(cudaErrorInvalidValue);
    dynamic_shared_limit = std::max(dynamic_shared_limit, static_cast<std::size_t>(bytes));
    return cudaSuccess;
}

cudaError_t resident_blocks(int* blocks, int block_size, std::size_t dynamic_shared) {
    const Call call;
    if (call.broken()) return call.broken();
    if (block_size < 1 || block_size > static_cast<int>(max_threads)) return finish(cudaErrorInvalidValue);
    *blocks =
        static_cast<int>(blocks_of_a_multiprocessor(static_cast<std::uint32_t>(block_size), dynamic_shared));
    return cudaSuccess;
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
