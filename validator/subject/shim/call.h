#pragma once

#include "subject/message.h"
#include "subject/protocol.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace subject::shim {

/// Where the bytes of a region may be used: in the arena, or an exact-size copy.
struct RegionMemory {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
};

/// One call as the worker sees it.
struct Call {
    Reader arguments;
    std::vector<RegionMemory> regions;
    Writer reply;
    std::byte* results = nullptr;
    std::size_t results_bytes = 0;
    std::uint32_t launches = 0; ///< of kernels
    bool rehearsed = false;     ///< its work on the device is not done
    std::uint64_t ends = 0;     ///< not 0: no call, but the end of this object, which the function made
    void (*pause)() = nullptr;  ///< of a timed call: tells the driver how far it is, and waits
};

/// The device's runtime reports an error after a call.
struct DeviceFailed {
    const char* name;  ///< "cudaErrorIllegalAddress"
    const char* words; ///< what the runtime says of it
};

} // namespace subject::shim
