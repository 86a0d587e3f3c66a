#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// How fast the functions of a CUDA submission are, as `engine bench` measures them.
namespace model {

/// The time of a call on a GPU. Medians, in microseconds.
struct CallTime {
    std::size_t calls = 0;
    std::uint64_t bytes = 0; ///< that one call cannot do without
    double us = 0;           ///< of one call, from its start to the end of its work
    double spread_us = 0;    ///< half the distance between the quartiles
    double copy_us = 0;      ///< of a copy within the device that moves as many bytes
    double useful_rate() const {
        return us > 0 ? static_cast<double>(bytes) / us * 1e6 : 0;
    } ///< bytes a second
    double share_of_copy() const { return us > 0 ? copy_us / us : 0; }
};

/// One function at one size.
struct MeasuredCall {
    std::string title; ///< of the suite's timed case
    std::string function;
    std::string trouble;              ///< why there are no numbers: what was wrong with a result; else empty
    std::vector<std::string> kernels; ///< that it launched
    std::uint64_t moved_bytes = 0;    ///< on the emulator, in whole sectors
    std::uint64_t minimum_bytes = 0;  ///< that this call could not do without
    std::optional<CallTime> time;     ///< where there is a GPU

    /// Of a copy's speed, the share that the traffic allows: 1 where nothing is moved in vain. Atomics read
    /// and write in one access, so there less may be counted than has to be moved.
    double allowed_share() const {
        return moved_bytes <= minimum_bytes
                   ? 1
                   : static_cast<double>(minimum_bytes) / static_cast<double>(moved_bytes);
    }
};

struct Measurement {
    std::vector<MeasuredCall> calls;
    double copy_rate = 0; ///< bytes a second that a large copy moves on the GPU, read and written; 0: no GPU
    /// How much slower a copy was after the calls than before: more than a tenth means that somebody else
    /// used the GPU meanwhile.
    double slowdown = 0;
};

} // namespace model
