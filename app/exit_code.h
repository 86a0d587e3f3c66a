#pragma once

#include "model/verdict.h"

#include <array>
#include <string_view>

namespace app {

/// What the process ends with; documented in README.md.
enum class ExitCode : int {
    accepted = 0,
    not_accepted = 1,
    usage = 2,
    content = 3,
    not_judged = 4,
    interrupted = 130,
};

struct ExitMeaning {
    ExitCode code = ExitCode::accepted;
    std::string_view means;
};

/// For `engine --help` and the manual page.
inline constexpr std::array<ExitMeaning, 6> exit_meanings{{
    {ExitCode::accepted, "accepted"},
    {ExitCode::not_accepted, "judged and not accepted"},
    {ExitCode::usage, "wrong usage"},
    {ExitCode::content, "a problem package is broken"},
    {ExitCode::not_judged, "could not judge"},
    {ExitCode::interrupted, "interrupted"},
}};

inline ExitCode exit_code(model::Verdict verdict) {
    switch (verdict) {
    case model::Verdict::accepted: return ExitCode::accepted;
    case model::Verdict::judge_error: return ExitCode::not_judged;
    default: return ExitCode::not_accepted;
    }
}

} // namespace app
