#pragma once

#include <cstdint>
#include <string>

namespace teaching {

/// How a work is judged, besides its files.
struct Circumstances {
    std::string problem;
    std::uint64_t seed = 0;
    bool thorough = false;
    bool on_gpu = false; ///< besides the emulator
};

} // namespace teaching
