#pragma once

#include <string>
#include <vector>

namespace model {

/// A program that starts a worker in its own way and reports on it, as compute-sanitizer does. It runs in the
/// worker's sandbox, and learner code runs beside it: what it says is untrusted.
struct Launcher {
    std::string program;                ///< an absolute path; empty: the worker is started directly
    std::vector<std::string> arguments; ///< before the worker's own command line
    std::vector<std::string> files;     ///< files and folders that it needs to see besides itself

    bool given() const { return !program.empty(); }
    bool operator==(const Launcher&) const = default;
};

} // namespace model
