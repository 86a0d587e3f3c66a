#pragma once

#include "cuda_runtime.h"

#include "runtime/fiber.h"

#include "emulator/trace.h"

#include <array>
#include <cstdint>
#include <vector>

/// Runs the threads of a block.
///
/// Theory of operation. The threads of a block run one after another on one stack, each to its end: a thread
/// that never waits costs a function call. A thread that must wait (at a barrier, in a warp call) keeps its
/// stack, and the processor moves on: to a thread that may go on if there is one, else to the next thread
/// that has not started, on a fresh stack. The order is that of the launch (order.h) and nothing else, so
/// every run is the same run. If nobody can go on and somebody waits, the block is stuck: that is how a
/// barrier that part of the block never reaches is found.
///
/// A thread that spins says so (`pause_thread`), and goes behind the others. Once a block does nothing but
/// spin, or waits for the whole grid, another block runs (grid.h).
namespace cuda_emulator {

constexpr std::uint32_t max_threads = 1024;
constexpr std::uint32_t warp_lanes = 32;
constexpr std::uint32_t shared_limit = 48 * 1024;        ///< bytes without asking
constexpr std::uint32_t shared_limit_optin = 227 * 1024; ///< of dynamic ones, with cudaFuncSetAttribute

/// A warp call that some lanes wait in.
struct WarpMeeting {
    WarpCall kind{};
    std::uint32_t mask = 0;
    std::uint32_t arrived = 0;
    int line = 0;
    std::array<std::uint64_t, warp_lanes> value{};
    std::array<std::uint32_t, warp_lanes> argument{};
    std::array<int, warp_lanes> width{};
};

struct Warp {
    std::uint32_t existing = 0; ///< lanes that the block has
    std::uint32_t exited = 0;
    std::uint32_t blocked = 0; ///< lanes that wait, and that nobody has made ready yet
    std::uint32_t paused = 0;  ///< lanes that have paused since the latest meeting of active lanes began
    std::vector<WarpMeeting> meetings;
    std::array<std::uint64_t, warp_lanes> result{};
};

/// A call that some threads of a tile of several warps wait in.
struct TileMeeting {
    TileCall kind{};
    std::uint32_t first = 0; ///< thread of the tile
    std::uint32_t size = 0;
    int line = 0;
    std::vector<std::uint64_t> value{};  ///< of each rank
    std::vector<std::uint32_t> source{}; ///< the rank whose value it receives
    std::vector<Fiber*> waiting{};
};

/// Fibers in the order in which they became ready. Each thread is in it at most once.
class ReadyQueue {
  public:
    bool empty() const { return head_ == tail_; }
    std::uint32_t size() const { return tail_ - head_; }
    void push(Fiber* fiber) { slots_[tail_++ % max_threads] = fiber; }
    void push(Fiber* const* fibers, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i)
            slots_[tail_++ % max_threads] = fibers[i];
    }
    Fiber* pop() { return slots_[head_++ % max_threads]; }
    void clear() { head_ = tail_ = 0; }

  private:
    std::array<Fiber*, max_threads> slots_;
    std::uint32_t head_ = 0, tail_ = 0;
};

struct Block {
    uint3 index{};
    std::uint32_t number = 0;  ///< its index as one number
    std::uint32_t threads = 0; ///< in the block
    std::uint32_t started = 0;
    std::uint32_t exited = 0;
    std::uint32_t idle = 0; ///< pauses since a thread last did anything else

    std::array<Fiber*, max_threads> waiting; ///< at the block's barrier, in order of arrival
    std::uint32_t waiting_count = 0;
    int barrier_line = 0;
    Barrier barrier_kind{};
    std::uint32_t barrier_sum = 0;
    int barrier_result = 0;
    std::vector<Fiber*> at_grid_barrier;
    std::vector<TileMeeting> tiles;
    std::array<std::uint64_t, max_threads> tile_result{};

    std::array<Fiber*, max_threads> fiber_of; ///< of the threads that have started
    std::array<int, max_threads> waits_at;    ///< the line a thread waits at, 0 if it does not
    std::array<Warp, max_threads / warp_lanes> warps;
    ReadyQueue ready;
    Fiber* current = nullptr;
};

/// What all blocks of a launch share.
struct Execution {
    const Work* work = nullptr;
    const std::uint16_t* thread_order = nullptr; ///< which thread to start as the n-th of a block
    void* scheduler = nullptr;                   ///< where the launch goes on when no thread of a block can
    std::uint64_t progress = 0;                  ///< counts what threads do other than to pause
    bool aborted = false;
    cudaError_t error = cudaSuccess;
};

extern "C" {
extern uint3 cuda_emulator_thread_index;
extern uint3 cuda_emulator_block_index;
extern dim3 cuda_emulator_block_size;
extern dim3 cuda_emulator_grid_size;
extern std::uint64_t cuda_emulator_launch_number;
}

extern Block* block; ///< the one that runs
extern Execution execution;
extern FiberPool fibers;
extern bool in_kernel;
extern const Configuration* current_launch;
/// Hears of each kernel as it begins and, with null and 0, as it ends.
inline void (*kernel_watcher)(const char* kernel, int line) = nullptr;

/// Makes `block` one of so many threads of which none has started.
void prepare_block(std::uint32_t threads);
/// Runs `block` until its threads have ended, or none of them can do anything but wait or pause.
void run_block();

void make_ready(Fiber* fiber);
/// Lets the other threads run before the current one goes on.
void step_aside();
/// A thread has done what others may wait for.
inline void note_progress() {
    ++execution.progress;
    block->idle = 0;
}

/// Ends the kernel at once, from inside one of its threads, or from a signal handler on its behalf.
[[noreturn]] void abort_kernel(cudaError_t error);
/// As above, with a finding about the current thread.
[[noreturn]] void abort_kernel(cudaError_t error, emulator::FindingKind kind, const std::string& message,
                               int line);

/// The file of the current launch and a line of it.
emulator::Location at_line(int line);
emulator::ThreadId thread_id(std::uint32_t thread);

/// Called when a lane has ended or waits: lanes that wait for the rest of its warp may go on.
[[gnu::noinline]] void lane_stopped(std::uint32_t warp);
/// Says who is missing where. Called when nobody can go on.
void report_stuck_block();
void report_missing_of_tile(const TileMeeting& meeting);

} // namespace cuda_emulator
