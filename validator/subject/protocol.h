#pragma once

#include "model/access.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

/// The call protocol between the driver, which is trusted, and the worker, which runs a learner's code.
///
/// Both map one shared arena. The driver lays a request into it (function number, argument bytes, and a copy
/// of every buffer an argument points at), counts `requests` up and waits; the worker calls the function on
/// those copies, lays a reply beside it and counts `replies` up. Each side spins a little and then sleeps on
/// an eventfd.
///
/// Nothing in the arena has authority: the driver checks the counter, its own list of regions and its own
/// copies of the inputs, and reads each reply once. A worker that scribbles here can only fail.
namespace subject {

/// The descriptors a worker owns beside 0, 1 and 2.
constexpr int arena_fd = 3;
constexpr int request_fd = 4;
constexpr int reply_fd = 5;

constexpr std::uint32_t ready_mark = 0x656e'6731;
constexpr std::size_t message_bytes = 16384;
constexpr std::size_t page = 4096;
constexpr std::size_t canary_bytes = 64;

/// In place of a function's number: from now on the calls are for the implementation that the message names,
/// one of those in the worker's program. The message is its length, as std::uint32_t, and its characters.
constexpr std::uint32_t select_implementation = 0xffff'ffff;

/// How often a side looks before it sleeps; one look is some twenty nanoseconds, so that this is about what
/// waking the other costs.
constexpr std::size_t spins = 400;

enum class ReplyKind : std::uint32_t {
    returned,
    threw,           ///< reply bytes: type name, a NUL, what()
    not_implemented, ///< reply bytes: the function's name
    out_of_memory,
    device_failed, ///< reply bytes: what the device's runtime said
    malformed,     ///< the worker could not read the request
    paused,        ///< of a timed call: it goes on with the next request, whatever that says
};

/// Asked like a function: what the device's runtime has observed since it was asked last, as text in the
/// results zone. Only a worker that runs kernels on the emulator knows.
constexpr std::uint32_t observe_function = 0xffff'fffe;

/// Asked like a function: the worker's last act, as a model::Control in the message says. With sanitizers it
/// writes beyond the end of some memory, and dies of it; with a trace it runs a kernel whose threads race,
/// and answers as to `observe_function`.
constexpr std::uint32_t control_function = 0xffff'fffd;

/// Asked like a function of a worker that a launcher has started: to end by itself, without a reply. A
/// launcher reports when the program that it started has ended.
constexpr std::uint32_t leave_function = 0xffff'fffc;

/// Of what a worker observed, no more than this is taken.
constexpr std::size_t max_observed_bytes = 1 << 20;

/// Of the functions that were running at a crash, the innermost so many are noted.
constexpr std::uint32_t max_crash_frames = 16;

/// Runs of whole pages of the arena.
struct KeptPages {
    std::uint64_t first = 0; ///< where the first run begins
    std::uint64_t bytes = 0; ///< of each run
    std::uint64_t step = 1;  ///< from one to the next
    std::uint64_t count = 0;
};

/// The first bytes of the arena.
struct Control {
    std::atomic<std::uint32_t> ready;
    std::atomic<std::uint32_t> worker_sleeps;
    std::atomic<std::uint32_t> driver_sleeps;
    std::uint32_t function;
    std::uint32_t order;     ///< in which emulated kernels run their threads
    std::uint32_t rehearsed; ///< not 0: what the call asks of a device is checked and not done
    std::uint64_t ends;   ///< not 0: no call, but the end of the object of this number, which `function` made
    std::uint32_t timed;  ///< not 0: the call pauses before the submission's part of it, and behind it
    std::uint32_t upward; ///< not 0: the call finds its thread rounding upward
    std::uint32_t repeats; ///< how often the worker makes the call before the one that counts, given time
    alignas(64) std::atomic<std::uint64_t> requests;
    std::uint64_t results_at;    ///< where returned arrays go
    std::uint64_t results_bytes; ///< and how much room there is
    std::uint32_t region_count;
    KeptPages kept; ///< what is not the call's to write
    alignas(64) std::atomic<std::uint64_t> replies;
    ReplyKind reply;
    std::uint32_t reply_bytes;
    std::uint32_t launches;       ///< of kernels on the emulator, by the call
    std::uint32_t order_mattered; ///< not 0: another order might have given another result
    std::uint32_t modes_left;     ///< not 0: the call left other modes of arithmetic than it found
    std::uint32_t kept_written;   ///< not 0: the call wrote to what is kept
    alignas(64) std::byte request_message[message_bytes];
    std::byte reply_message[message_bytes];
    /// Where the program crashed, and from where that was called: offsets in the program. For words to the
    /// learner only.
    std::uint64_t crash[max_crash_frames];
    std::uint32_t crash_frames;
    model::Access access; ///< the one that failed there,
    std::uint64_t fault;  ///< and to which place in the arena; 0 for none. For words to the learner only
    char kernel[96]; ///< the kernel that runs, with its line; empty for none. For words to the learner only
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

/// A stretch of the arena that holds one buffer, or several that overlap. The request message begins with
/// these.
struct Region {
    std::uint64_t offset = 0; ///< of the first byte, in the arena
    std::uint64_t bytes = 0;
};

/// Where one argument's buffer lies.
/// The region of a null pointer, which a view without elements may hold.
inline constexpr std::uint32_t no_region = ~std::uint32_t{0};

struct BufferRef {
    std::uint32_t region = 0;
    std::uint64_t offset = 0; ///< within the region
};

/// A returned array, within the results zone.
struct ResultRef {
    std::uint64_t bytes = 0;
};

constexpr std::size_t round_up(std::size_t value, std::size_t to) {
    return (value + to - 1) / to * to;
}

/// Where the zone of copied arguments and results begins.
constexpr std::size_t control_end = round_up(sizeof(Control), page);

inline void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

} // namespace subject
