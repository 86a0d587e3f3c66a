#include "questions/marking.h"

#include "model/errors.h"
#include "questions/draw.h"
#include "questions/number.h"
#include "questions/slips.h"
#include "questions/words.h"

#include <algorithm>
#include <sstream>
#include <variant>
#include <vector>

namespace questions {
namespace {

using model::Standing;

constexpr std::size_t max_answer_bytes = 8 * 1024;
constexpr std::uint64_t tries_before_the_explanation = 2;
constexpr const char* not_it = "That is not it.";

Mark not_understood(std::string says) {
    return {std::nullopt, std::move(says), {}};
}

Mark right(std::string says = {}) {
    return {Standing::right, std::move(says), {}};
}

Mark wrong(std::string says, std::string mistake = {}) {
    return {Standing::wrong, std::move(says), std::move(mistake)};
}

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

const model::Option* find(const std::vector<model::Option>& options, const std::string& id) {
    const auto found = std::ranges::find(options, id, &model::Option::id);
    return found == options.end() ? nullptr : &*found;
}

bool has_twice(std::vector<std::string> words) {
    std::ranges::sort(words);
    return std::ranges::adjacent_find(words) != words.end();
}

Mark no_such_option(const model::Question& question) {
    std::string ids;
    for (const model::Option& option : question.options)
        ids += (ids.empty() ? "" : ", ") + option.id;
    return not_understood("That names no option. There are: " + ids + ".");
}

Mark mark_choice(const model::Question& question, const std::string& answer) {
    const model::Option* const option = find(question.options, trimmed(answer));
    if (option == nullptr) return no_such_option(question);
    return option->correct ? right(option->says) : wrong(option->says, option->mistake);
}

/// Right are all right options and no other. The first wrong one says what one would have to believe; that
/// one is missing is said, and not which.
Mark mark_several(const model::Question& question, const std::string& answer) {
    const auto chosen = words_of(answer);
    if (has_twice(chosen)) return not_understood("One option is named twice.");
    std::size_t hits = 0;
    const model::Option* false_one = nullptr;
    for (const std::string& id : chosen) {
        const model::Option* const option = find(question.options, id);
        if (option == nullptr) return no_such_option(question);
        if (option->correct)
            ++hits;
        else if (false_one == nullptr)
            false_one = option;
    }
    if (false_one != nullptr) return wrong(false_one->says, false_one->mistake);
    const auto needed = std::ranges::count(question.options, true, &model::Option::correct);
    if (hits == static_cast<std::size_t>(needed)) return right();
    return wrong("All of these are right, and there are more.");
}

/// A misconception may hold the words in another layout.
Mark wrong_words(const model::Question& question, const std::vector<std::string>& words) {
    for (const model::Misconception& misconception : question.misconceptions)
        if (words == words_of(misconception.answer)) return wrong(misconception.says, misconception.mistake);
    return wrong(not_it);
}

Mark mark_order(const model::Question& question, const std::string& answer) {
    const auto words = words_of(answer);
    for (const std::string& word : words)
        if (find(question.options, word) == nullptr) return no_such_option(question);
    if (words.size() != question.options.size() || has_twice(words))
        return not_understood("Name each of the " + std::to_string(question.options.size()) + " steps once.");
    return words == question.key ? right() : wrong_words(question, words);
}

Mark mark_pairs(const model::Question& question, const std::string& answer) {
    auto given = words_of(answer);
    auto key = question.key;
    std::vector<std::string> lefts;
    for (const std::string& pair : given) {
        const std::size_t sign = pair.find('=');
        if (sign == std::string::npos || find(question.options, pair.substr(0, sign)) == nullptr ||
            find(question.matches, pair.substr(sign + 1)) == nullptr)
            return not_understood("A pair is written left=right, with an id on both sides.");
        lefts.push_back(pair.substr(0, sign));
    }
    if (given.size() != key.size() || has_twice(lefts))
        return not_understood("Give each of the " + std::to_string(key.size()) +
                              " left sides one right side.");
    std::ranges::sort(given);
    std::ranges::sort(key);
    if (given == key) return right();
    std::vector<std::string> hits;
    std::ranges::set_intersection(given, key, std::back_inserter(hits));
    return wrong(std::to_string(hits.size()) + " of the " + std::to_string(key.size()) + " pairs are right.");
}

double value(const model::Question& question, const std::string& formula) {
    try {
        return evaluate(formula, values_of(question));
    } catch (const FormulaError& error) {
        throw model::ContentError("questions.json", "the formula \"" + formula + "\"", error.what());
    }
}

Mark mark_number(const model::Question& question, const std::string& answer) {
    const auto read = read_number(answer, question.unit);
    if (const auto* none = std::get_if<NoNumber>(&read)) return not_understood(none->why);
    const double number = std::get<double>(read);
    const double want = value(question, question.formula);
    if (agrees(number, want, question.relative_tolerance)) return right();
    for (const model::Misconception& misconception : question.misconceptions)
        if (agrees(number, value(question, misconception.answer), question.relative_tolerance))
            return wrong(misconception.says, misconception.mistake);
    const std::string slipped = slip(number, want, question.relative_tolerance, question.unit);
    return wrong(slipped.empty() ? not_it : slipped);
}

Mark mark_output(const model::Question& question, const std::string& answer) {
    const std::string got = as_output(answer);
    if (got == as_output(question.output)) return right();
    for (const model::Misconception& misconception : question.misconceptions)
        if (got == as_output(misconception.answer)) return wrong(misconception.says, misconception.mistake);
    return wrong(not_it);
}

Mark keep_text(const model::Question& question, const model::Answer& answer) {
    for (const std::size_t point : answer.met)
        if (point < 1 || point > question.key_points.size())
            return not_understood("There are " + std::to_string(question.key_points.size()) +
                                  " key points, counted from 1.");
    return {Standing::written, {}, {}};
}

} // namespace

Mark mark(const model::Question& drawn, const model::Answer& answer) {
    if (answer.text.size() > max_answer_bytes)
        return not_understood("That is too long: at most 8,192 bytes, please.");
    if (trimmed(answer.text).empty()) return not_understood("The answer is empty.");
    switch (drawn.kind) {
    case model::QuestionKind::multiple_choice: return mark_choice(drawn, answer.text);
    case model::QuestionKind::several: return mark_several(drawn, answer.text);
    case model::QuestionKind::order: return mark_order(drawn, answer.text);
    case model::QuestionKind::pairs: return mark_pairs(drawn, answer.text);
    case model::QuestionKind::numeric: return mark_number(drawn, answer.text);
    case model::QuestionKind::predict_output: return mark_output(drawn, answer.text);
    case model::QuestionKind::short_text: return keep_text(drawn, answer);
    }
    return not_understood("This kind of question cannot be marked.");
}

std::string feedback(const model::Question& drawn, const Mark& mark, std::uint64_t tries) {
    const bool explained =
        mark.standing && (*mark.standing != Standing::wrong || tries >= tries_before_the_explanation);
    if (!explained) return mark.says;
    return mark.says.empty() ? drawn.explanation : mark.says + "\n\n" + drawn.explanation;
}

} // namespace questions
