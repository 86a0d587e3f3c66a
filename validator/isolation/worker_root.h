#pragma once

#include "model/launcher.h"
#include "system/sandbox_root.h"

#include <string>

namespace isolation {

/// The root folder of a worker. A sanitized one reads its own memory map, for which it needs a /proc, and so
/// does one with a GPU's driver, whose files are there as well. With a launcher there is what that needs, a
/// /tmp, and the program.
sys::SandboxRoot worker_root(bool sanitized, const std::vector<std::filesystem::path>& gpu_files = {},
                             const model::Launcher& launcher = {}, int program_fd = -1);

/// Why no process with namespaces and such a root can be started here, with what to do about it; empty where
/// one can. Found out once a process, by starting one.
const std::string& namespace_obstacle(bool sanitized);

} // namespace isolation
