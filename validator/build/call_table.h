#pragma once

#include <future>
#include <string>

namespace build {

/// What connects a submission with its worker's main: an object that a kit holds, made while the submission
/// is compiled.
struct CallTable {
    std::string key;                        ///< of all that decides what the object holds
    std::shared_future<std::string> object; ///< its bytes; throws what went wrong in making it
    std::string gpu_code;                   ///< which code nvcc makes for the GPU; empty: it is for a CPU
};

} // namespace build
