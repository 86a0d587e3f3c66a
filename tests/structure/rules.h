#pragma once

#include <string>
#include <vector>

/// The shape of the house as tables; ARCHITECTURE.md draws the same picture.
namespace structure {

/// Sources below a folder, and the folders that their includes may name, beside their own.
struct IncludeRule {
    std::string folder;
    std::vector<std::string> may_include;
};

/// The longest matching folder decides. The order follows the dependencies, from the bottom up.
inline const std::vector<IncludeRule> include_rules{
    {"validator/model", {}},
    {"validator/system", {"model"}},
    {"validator/isolation", {"model", "system"}},
    {"validator/catalogue", {"model"}},
    {"validator/bundle", {"emulator"}},
    {"validator/build", {"model", "system", "isolation", "emulator"}},
    {"validator/subject", {"model", "system", "isolation", "common"}},
    {"validator/subject/shim", {"subject", "common", "emulator"}}, // lives with the learner's code
    {"validator/harness", {"model", "subject", "common"}},
    {"validator/diagnosis", {"model", "harness"}},
    {"validator/grading", {"model", "harness", "diagnosis", "emulator"}},
    {"validator/supervisor", {"model", "system", "isolation", "harness"}},
    {"validator/questions", {"model"}},
    {"validator/store", {"model"}},
    {"validator/report", {"model"}},
    {"validator/emulator", {"runtime", "cuda_emulator"}}, // lives with the learner's code
    {"validator",
     {"model", "system", "isolation", "build", "diagnosis", "emulator", "grading", "supervisor"}}, // judge.{h,cpp}
    {"app",
     {"model", "system", "isolation", "catalogue", "build", "grading", "supervisor", "questions", "store",
      "report", "terminal", "bundle", "emulator"}},
    {"exercises", {"common"}},
    {"reference", {"common"}},
    {"problems", {"harness", "subject", "common"}},
};

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
     {"validator/catalogue", "validator/build", "validator/harness", "validator/report", "validator/emulator",
      "app"}},
    {"valijson/", {"validator/catalogue"}},
    {"SQLiteCpp/", {"validator/store"}},
    {"sqlite3.h", {"validator/store"}},
    {"muParser.h", {"validator/catalogue", "validator/questions"}},
    {"seccomp.h", {"validator/isolation"}},
    {"boost/", {"validator/emulator"}},
    {"md4c", {"app/terminal"}},
    {"CLI/", {"app"}},
    {"spdlog/", {"app"}},
    {"doctest/", {"validator/harness"}},
};

/// Nobody makes a process but validator/system.
inline const std::vector<Exception> fork_exceptions{
    {"validator/isolation/canary/processes.cpp", "tries it, to see it refused"},
};

constexpr std::size_t most_lines = 300;
/// A suite holds one case a behaviour, and is read case by case.
constexpr std::size_t most_suite_lines = 1000;

inline const std::vector<Exception> long_files{
    {"tests/golden/fixtures.cpp", "one judgement of each kind"},
    {"tests/unit/store/refusal_test.cpp", "one case a kind of damage"},
    {"tests/unit/catalogue/malformed_package_test.cpp", "one row a malformed package"},
    {"tests/emulator/kernels/faults.cu", "one kernel a fault"},
};

} // namespace structure
