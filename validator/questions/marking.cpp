#include "questions/marking.h"

#include "questions/ask.h"
#include "questions/formula.h"
#include "questions/words.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace questions {
namespace {

constexpr std::size_t max_answer_bytes = 8 * 1024;

Mark not_understood(std::string says) {
    return {false, false, 0, std::move(says), {}};
}

Mark right(std::string says) {
    return {true, true, 1, std::move(says), {}};
}

Mark wrong(std::string says, std::string mistake) {
    return {true, false, 0, std::move(says), std::move(mistake)};
}

/// The option meant by "b", "b)", "(B)" or "b.", or by the option's own words.
std::optional<std::size_t> chosen(const model::Question& question, std::string_view answer,
                                  std::uint64_t seed) {
    const std::string text = lower_case(trimmed(answer));
    std::string letter = text;
    if (letter.size() > 1 && letter.front() == '(') letter.erase(0, 1);
    if (letter.size() == 2 && (letter.back() == ')' || letter.back() == '.')) letter.pop_back();
    const auto order = option_order(question, seed);
    if (letter.size() == 1 && letter[0] >= 'a' && static_cast<std::size_t>(letter[0] - 'a') < order.size())
        return order[static_cast<std::size_t>(letter[0] - 'a')];
    for (std::size_t i = 0; i < question.options.size(); ++i)
        if (lower_case(trimmed(question.options[i].text)) == text) return i;
    return std::nullopt;
}

Mark mark_choice(const model::Question& question, std::string_view answer, std::uint64_t seed) {
    const auto index = chosen(question, answer, seed);
    if (!index) {
        const char last = static_cast<char>('a' + std::max<std::size_t>(question.options.size(), 1) - 1);
        return not_understood(std::string("Please answer with one letter, a to ") + last + ".");
    }
    const model::Option& option = question.options[*index];
    if (!option.correct) return wrong(option.says, option.mistake);
    return right(option.says.empty() ? question.explanation : option.says + "\n\n" + question.explanation);
}

/// `tolerance` is relative. A few roundings are always forgiven: 0.1 * 3 is not 0.3 in binary.
bool agrees(double got, double want, double tolerance) {
    const double roundings = 8 * std::numeric_limits<double>::epsilon();
    return std::abs(got - want) <= std::max(tolerance, roundings) * std::abs(want);
}

Mark mark_number(const model::Question& question, std::string_view answer) {
    const auto number = read_number(answer, question.unit);
    if (!number)
        return not_understood(
            "No number could be read from that. These are fine: `1234.5`, `1,234.5`, `1e3`, `3/4`, "
            "`2^20 * 3`.");
    const double want = evaluate(question.formula, question.variables);
    if (agrees(*number, want, question.relative_tolerance)) return right(question.explanation);
    for (const model::Misconception& misconception : question.misconceptions)
        if (agrees(*number, evaluate(misconception.answer, question.variables), question.relative_tolerance))
            return wrong(misconception.says, misconception.mistake);
    return wrong(question.explanation, {});
}

Mark mark_output(const model::Question& question, std::string_view answer) {
    const std::string got = as_output(answer);
    if (got == as_output(question.output)) return right(question.explanation);
    for (const model::Misconception& misconception : question.misconceptions)
        if (got == as_output(misconception.answer)) return wrong(misconception.says, misconception.mistake);
    return wrong(question.explanation, {});
}

/// A stem counts at the beginning of a word: "mutat" finds "mutated" and not "permutation".
bool contains_any(const std::string& words, const std::vector<std::string>& stems) {
    return std::any_of(stems.begin(), stems.end(), [&](const std::string& stem) {
        std::string wanted = as_words(stem);
        wanted.pop_back(); // the word may go on
        return wanted.size() > 1 && words.find(wanted) != std::string::npos;
    });
}

Mark mark_text(const model::Question& question, std::string_view answer) {
    const std::string words = as_words(answer);
    std::size_t found = 0;
    std::string missing;
    for (const model::KeyPoint& point : question.key_points) {
        if (contains_any(words, point.any_of))
            ++found;
        else
            missing += "- " + point.point + "\n";
    }
    const std::size_t all = question.key_points.size();
    const std::size_t needed = question.needed == 0 ? all : std::min(question.needed, all);
    if (found >= needed && found > 0) return right(question.explanation);
    Mark mark =
        wrong((found > 0 ? "A part of it is there. " : "") + std::string("Still missing:\n\n") + missing, {});
    mark.credit = needed == 0 ? 0 : static_cast<double>(found) / static_cast<double>(needed);
    return mark;
}

} // namespace

Mark mark(const model::Question& question, std::string_view answer, std::uint64_t seed) {
    if (trimmed(answer).empty()) return not_understood("The answer is empty.");
    if (answer.size() > max_answer_bytes)
        return not_understood("That is too long: at most 8,192 letters, please.");
    switch (question.kind) {
    case model::QuestionKind::multiple_choice: return mark_choice(question, answer, seed);
    case model::QuestionKind::numeric: return mark_number(question, answer);
    case model::QuestionKind::predict_output: return mark_output(question, answer);
    case model::QuestionKind::short_text: return mark_text(question, answer);
    }
    return not_understood("This kind of question cannot be marked.");
}

} // namespace questions
