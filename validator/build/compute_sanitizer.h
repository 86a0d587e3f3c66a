#pragma once

#include "build/layout.h"
#include "build/toolchain.h"
#include "model/launcher.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace build {

/// NVIDIA's checker of kernels on a GPU.
struct ComputeSanitizer {
    std::filesystem::path program;
    std::vector<std::filesystem::path> files; ///< what it needs besides itself
    std::string version;                      ///< "2025.3.1"
};

/// The one that lies next to nvcc, or in one of the system's folders; or one sentence on why there is none to
/// use. Asks it for its version.
std::variant<ComputeSanitizer, std::string> find_compute_sanitizer(const Layout& layout,
                                                                   const Toolchain& toolchain);

/// "2025.3.1" of what it prints when it is asked for its version, bounded; empty where there is none.
std::string compute_sanitizer_version(std::string_view printed);

/// How a worker is started for one of its tools, "memcheck".
model::Launcher launcher_for(const ComputeSanitizer& sanitizer, std::string_view tool);

} // namespace build
