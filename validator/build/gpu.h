#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace build {

/// A GPU that its driver answers for.
struct Gpu {
    std::string name;       ///< "NVIDIA H200"
    std::string driver;     ///< "550.54.15"
    std::string capability; ///< "9.0"
};

/// The machine's first GPU, or one sentence on why there is none to use. Asks the driver's own tool, which
/// takes up to a second where there is one.
std::variant<Gpu, std::string> find_gpu();

/// What `nvidia-smi --query-gpu=name,driver_version,compute_cap --format=csv,noheader` printed.
std::variant<Gpu, std::string> parse_gpu(std::string_view output);

} // namespace build
