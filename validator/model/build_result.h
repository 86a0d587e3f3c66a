#pragma once

#include "model/judgement.h"

#include <chrono>
#include <string>
#include <vector>

namespace model {

/// What became of compiling and linking a submission. That it does not compile is a value, not an error.
struct BuildResult {
    bool ok = false;
    bool cached = false;                 ///< taken from the cache: nothing ran
    std::vector<Diagnostic> diagnostics; ///< without explanations; warnings too
    std::vector<std::string> defined;    ///< the functions that the submission defines, where linking failed
    std::chrono::microseconds compile{0};
    std::chrono::microseconds link{0};
};

} // namespace model
