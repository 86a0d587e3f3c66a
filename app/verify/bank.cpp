#include "app/verify/bank.h"

#include "questions/draw.h"
#include "questions/slips.h"
#include "questions/words.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <set>

namespace verify {
namespace {

constexpr std::uint64_t seeds_to_try = 200;
constexpr double max_share_of_longest = 0.4;
constexpr std::size_t fewest_for_a_share = 10;

using Complaint = std::optional<std::string>;

/// Two wrong answers that are one, or a wrong one that is right; `same` compares two of `all`, the right one
/// first.
template <typename T, typename Same>
Complaint first_repeated(const std::vector<T>& all, Same same) {
    for (std::size_t i = 1; i < all.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (same(all[i], all[j]))
                return j == 0 ? fmt::format("misconception {} is the right answer", i)
                              : fmt::format("misconceptions {} and {} are one", j, i);
    return std::nullopt;
}

Complaint numbers_differ(const model::Question& question) {
    const questions::Variables values = questions::values_of(question);
    std::vector<double> all{questions::evaluate(question.formula, values)};
    for (const model::Misconception& misconception : question.misconceptions)
        all.push_back(questions::evaluate(misconception.answer, values));
    return first_repeated(all, [&](double one, double other) {
        return questions::agrees(one, other, question.relative_tolerance);
    });
}

Complaint outputs_differ(const model::Question& question) {
    std::vector<std::string> all{questions::as_output(question.output)};
    for (const model::Misconception& misconception : question.misconceptions)
        all.push_back(questions::as_output(misconception.answer));
    return first_repeated(all, std::equal_to<>());
}

Complaint options_differ(const model::Question& question) {
    std::vector<std::string> texts;
    for (const auto* options : {&question.options, &question.matches})
        for (const model::Option& option : *options)
            texts.push_back(questions::as_output(option.text));
    std::ranges::sort(texts);
    if (std::ranges::adjacent_find(texts) == texts.end()) return std::nullopt;
    return "two options say the same";
}

Complaint complaint(const model::Question& question, std::uint64_t seed) {
    try {
        const model::Question drawn = questions::drawn(question, seed);
        if (drawn.kind == model::QuestionKind::numeric) return numbers_differ(drawn);
        if (drawn.kind == model::QuestionKind::predict_output) return outputs_differ(drawn);
        return options_differ(drawn);
    } catch (const questions::FormulaError& error) {
        return error.what();
    }
}

/// Longer than every other option. Nothing for a question without one right option.
std::optional<bool> right_is_longest(const model::Question& question) {
    if (question.kind != model::QuestionKind::multiple_choice) return std::nullopt;
    std::size_t right = 0;
    std::size_t wrong = 0;
    for (const model::Option& option : question.options) {
        std::size_t& longest = option.correct ? right : wrong;
        longest = std::max(longest, option.text.size());
    }
    return right > wrong;
}

/// Concepts that the manifest promises and no question asks about.
std::vector<std::string> unasked(const model::Problem& problem) {
    std::set<std::string> asked;
    for (const model::Question& question : problem.questions) {
        asked.insert(question.concept_name);
        for (const model::Option& option : question.options)
            asked.insert(option.concept_name);
    }
    std::vector<std::string> list;
    std::ranges::copy_if(problem.concepts, std::back_inserter(list),
                         [&](const std::string& each) { return !asked.contains(each); });
    return list;
}

} // namespace

std::vector<std::string> bank_gaps(const model::Problem& problem) {
    std::vector<std::string> gaps;
    for (const std::string& each : unasked(problem))
        gaps.push_back(
            fmt::format("problems/{}/questions.json: no question asks about \"{}\"", problem.id, each));
    for (const model::Question& question : problem.questions)
        for (std::uint64_t seed = 0; seed < seeds_to_try; ++seed)
            if (const Complaint found = complaint(question, seed)) {
                gaps.push_back(fmt::format("problems/{}/questions.json: {}, with seed {}: {}", problem.id,
                                           question.id, seed, *found));
                break;
            }
    return gaps;
}

std::vector<std::string> bank_gaps(const std::vector<const model::Problem*>& problems) {
    std::size_t longest = 0;
    std::size_t all = 0;
    for (const model::Problem* problem : problems)
        for (const model::Question& question : problem->questions)
            if (const auto right = right_is_longest(question)) {
                ++all;
                longest += *right ? 1 : 0;
            }
    if (all < fewest_for_a_share ||
        static_cast<double>(longest) <= max_share_of_longest * static_cast<double>(all))
        return {};
    return {fmt::format(
        "problems/: the right option is the longest in {} of {} questions; at most {:g} % may tell "
        "themselves by that",
        longest, all, 100 * max_share_of_longest)};
}

} // namespace verify
