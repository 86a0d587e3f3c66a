#pragma once

#include <string>
#include <vector>

/// Rules that ARCHITECTURE.md does not have as a table.
namespace structure {

/// A file that may do what others may not, and why.
struct Exception {
    std::string file;
    std::string reason;
};

/// Libraries that belong to certain folders alone.
struct LibraryRule {
    std::string library; ///< how its includes begin
    std::vector<std::string> folders;
};

inline const std::vector<LibraryRule> library_rules{
    {"nlohmann/",
     {"validator/catalogue", "validator/build", "validator/events", "validator/report", "validator/emulator",
      "validator/coursework", "validator/exports", "app"}},
    {"valijson/", {"validator/catalogue"}},
    {"SQLiteCpp/", {"validator/store", "validator/gradebook"}},
    {"sqlite3.h", {"validator/store", "validator/gradebook"}},
    {"archive", {"validator/intake", "validator/exports"}},
    {"date/", {"validator/coursework"}},
    {"yaml-cpp/", {"validator/intake"}},
    {"muParser.h", {"validator/questions"}},
    {"seccomp.h", {"validator/isolation"}},
    {"boost/", {"validator/emulator"}},
    {"md4c", {"app/terminal"}},
    {"utf8proc.h", {"validator/text"}},
    {"CLI/", {"app"}},
    {"spdlog/", {"app"}},
    {"doctest/", {"validator/harness"}},
};

/// Nobody makes a process but validator/system.
inline const std::vector<Exception> fork_exceptions{
    {"validator/isolation/canary/processes.cpp", "tries it, to see it refused"},
};

constexpr std::size_t max_lines = 300;
/// A suite holds one case a behaviour, and is read case by case.
constexpr std::size_t max_suite_lines = 600;

inline const std::vector<Exception> long_files{
    {"exercises/common/unicode_ranges.h", "a table, written by a script"},
    {"app/declare.cpp", "one function a command"},
    {"tests/golden/fixtures.cpp", "one judgement of each kind"},
    {"tests/unit/store/refusal_test.cpp", "one case a kind of damage"},
    {"tests/unit/catalogue/malformed_package_test.cpp", "one row a malformed package"},
    {"tests/emulator/kernels/faults.cu", "one kernel a fault"},
};

} // namespace structure
