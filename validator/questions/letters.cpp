#include "questions/letters.h"

#include "questions/words.h"

#include <vector>

namespace questions {
namespace {

/// Letters and digits alone: what separates them does not matter.
std::string marks_in(std::string_view typed) {
    std::string marks;
    for (const char mark : lower_case(typed))
        if (std::string_view(" \t,;.)(=-").find(mark) == std::string_view::npos) marks += mark;
    return marks;
}

const model::Option* at(const std::vector<model::Option>& options, char mark, char first) {
    const auto place = static_cast<std::size_t>(mark - first);
    return mark >= first && place < options.size() ? &options[place] : nullptr;
}

const model::Option* option_at(const model::Question& question, char mark) {
    const model::Option* const by_letter = at(question.options, mark, 'a');
    return by_letter != nullptr ? by_letter : at(question.options, mark, '1');
}

std::optional<std::string> pairs(const model::Question& question, const std::string& marks) {
    std::string answer;
    for (std::size_t i = 0; i < marks.size(); i += 2) {
        const model::Option* const left = at(question.options, marks[i], 'a');
        const model::Option* const right =
            i + 1 < marks.size() ? at(question.matches, marks[i + 1], '1') : nullptr;
        if (left == nullptr || right == nullptr) return std::nullopt;
        answer += (answer.empty() ? "" : " ") + left->id + "=" + right->id;
    }
    return answer;
}

} // namespace

std::optional<std::string> from_letters(const model::Question& drawn, std::string_view typed) {
    if (drawn.options.empty()) return std::string(typed);
    const std::string marks = marks_in(typed);
    if (drawn.kind == model::QuestionKind::pairs) return pairs(drawn, marks);
    if (drawn.kind == model::QuestionKind::multiple_choice && marks.size() > 1) return std::nullopt;
    std::string answer;
    for (const char mark : marks) {
        const model::Option* const option = option_at(drawn, mark);
        if (option == nullptr) return std::nullopt;
        answer += (answer.empty() ? "" : " ") + option->id;
    }
    return answer;
}

} // namespace questions
