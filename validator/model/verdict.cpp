#include "model/verdict.h"

#include <array>

namespace model {
namespace {

struct Row {
    Verdict verdict;
    std::string_view name;
    std::string_view words;
};

constexpr std::array<Row, 10> rows{{
    {Verdict::accepted, "accepted", "accepted"},
    {Verdict::wrong_answer, "wrong_answer", "wrong answer"},
    {Verdict::run_time_error, "run_time_error", "run-time error"},
    {Verdict::time_limit_exceeded, "time_limit_exceeded", "time limit exceeded"},
    {Verdict::memory_limit_exceeded, "memory_limit_exceeded", "memory limit exceeded"},
    {Verdict::output_limit_exceeded, "output_limit_exceeded", "output limit exceeded"},
    {Verdict::compile_error, "compile_error", "does not compile"},
    {Verdict::not_implemented, "not_implemented", "not implemented"},
    {Verdict::judge_error, "judge_error", "could not be judged"},
    {Verdict::skipped, "skipped", "skipped"},
}};

} // namespace

std::string_view name(Verdict verdict) {
    return rows.at(static_cast<std::size_t>(verdict)).name;
}

std::string_view words(Verdict verdict) {
    return rows.at(static_cast<std::size_t>(verdict)).words;
}

std::optional<Verdict> verdict_from_name(std::string_view name) {
    for (const Row& row : rows)
        if (row.name == name) return row.verdict;
    return std::nullopt;
}

} // namespace model
