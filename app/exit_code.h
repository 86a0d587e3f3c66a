#pragma once

#include "model/verdict.h"

namespace app {

/// What the process ends with; documented in README.md and `engine --help`.
enum class ExitCode : int {
    accepted = 0,
    not_accepted = 1,
    usage = 2,
    content = 3,
    not_judged = 4,
    interrupted = 130,
};

inline ExitCode exit_code(model::Verdict verdict) {
    switch (verdict) {
    case model::Verdict::accepted: return ExitCode::accepted;
    case model::Verdict::judge_error: return ExitCode::not_judged;
    default: return ExitCode::not_accepted;
    }
}

} // namespace app
