#pragma once

#include "subject/regions.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// The calls of a test case in a file, for a program that makes them again (shim/replay.cpp).
namespace subject {

/// What a recorded call begins with. The message follows, which begins with the call's regions, and then the
/// contents of each region.
struct RecordedCall {
    std::uint64_t bytes = 0; ///< of all that follows
    std::uint64_t message_bytes = 0;
    std::uint64_t results_bytes = 0; ///< space for a returned array
    std::uint64_t ends = 0;          ///< not 0: no call, but the end of this object, which the function made
    std::uint32_t function = 0;
    std::uint32_t order = 0; ///< in which emulated kernels run their threads
    std::uint32_t region_count = 0;
    std::uint32_t repeats = 0; ///< how often it was made before, at most
    std::uint32_t fresh = 0;   ///< not 0: the first call of its worker, so none before it matters
};

/// Records in the order of the calls.
class Recording {
  public:
    /// Inputs beyond this are not kept: those of shared tensors are gigabytes long.
    static constexpr std::uint64_t max_bytes = 256ULL << 20;

    Recording() = default; ///< keeps nothing
    explicit Recording(int fd) : fd_(fd) {}
    bool keeps_calls() const { return fd_ >= 0; }

    /// Forgets what it has: a test case begins.
    void clear();

    /// A call that is about to be made. `head.bytes` is filled in here.
    void add(RecordedCall head, std::span<const std::byte> message, const std::vector<PlacedRegion>& regions);

    /// The number of the last call, counted from 1; 0 where it is not in the recording.
    std::uint64_t last() const { return full_ ? 0 : calls_; }

  private:
    void append(const void* data, std::size_t bytes);

    int fd_ = -1;
    std::uint64_t written_ = 0;
    std::uint64_t calls_ = 0;
    bool full_ = false;
};

} // namespace subject
