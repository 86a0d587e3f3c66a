#include "questions/ask.h"

#include <string_view>
#include <vector>

namespace questions {
namespace {

/// Continuation lines of an option belong to its list item only when they are indented as its text is.
std::string indented(const std::string& text, std::size_t columns) {
    std::string out;
    for (const char letter : text) {
        out += letter;
        if (letter == '\n') out.append(columns, ' ');
    }
    return out;
}

std::string list(const std::vector<model::Option>& options, char label, std::string_view sign) {
    std::string out;
    for (const model::Option& option : options)
        out += std::string("- ") + label++ + std::string(sign) + " " + indented(option.text, 2) + "\n";
    return options.empty() ? out : out + "\n";
}

} // namespace

std::string how_to_answer(const model::Question& question) {
    switch (question.kind) {
    case model::QuestionKind::multiple_choice: return "Answer with one letter.";
    case model::QuestionKind::several: return "Answer with the letters of all that are right, such as a c.";
    case model::QuestionKind::order: return "Answer with all letters, first step first.";
    case model::QuestionKind::pairs: return "Answer with a number for each letter, such as a2 b1.";
    case model::QuestionKind::numeric:
        return question.unit.empty() ? "Answer with a number."
                                     : "Answer with a number, in " + question.unit + ".";
    case model::QuestionKind::predict_output: return "Answer with what is printed.";
    case model::QuestionKind::short_text: return "Answer in a sentence or two.";
    }
    return {};
}

std::string as_markdown(const model::Question& drawn, std::size_t number, std::size_t count) {
    return "**Question " + std::to_string(number) + " of " + std::to_string(count) + ".** " + drawn.prompt +
           "\n\n" + list(drawn.options, 'a', ")") + list(drawn.matches, '1', ")") + "*" +
           how_to_answer(drawn) + "*\n";
}

} // namespace questions
