#pragma once

#include <optional>
#include <string_view>

namespace model {

/// What a judgement means for one test or for a whole submission.
/// `judge_error` is never the learner's fault and never costs points.
enum class Verdict {
    accepted,
    wrong_answer,
    run_time_error,
    time_limit_exceeded,
    memory_limit_exceeded,
    output_limit_exceeded,
    compile_error,
    not_implemented,
    judge_error,
    skipped,
};

/// The name used in every report, e.g. "wrong_answer".
std::string_view name(Verdict verdict);

/// The same in words for a learner, e.g. "wrong answer".
std::string_view words(Verdict verdict);

std::optional<Verdict> verdict_from_name(std::string_view name);

} // namespace model
