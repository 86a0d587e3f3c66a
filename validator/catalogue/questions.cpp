#include "catalogue/questions.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>

#include "questions/draw.h"
#include "questions/slips.h"
#include "questions/words.h"
#include "text/nearest.h"

namespace catalogue {
namespace {

using Names = std::vector<std::string>;

/// One question of the document, while it is read.
struct Entry {
    const Document& document;
    const Pointer where;
    const Json& json;
    const Names& mistakes;
    Faults* const faults;

    [[noreturn]] void fail(const Pointer& inside, const std::string& what) const {
        document.fail(where / inside, what);
    }
};

/// The `mistake` of an option or a misconception at `inside`, or empty where none is named.
std::string mistake_at(const Entry& entry, const Pointer& inside) {
    const Json& json = entry.json.at(inside);
    if (!json.contains("mistake")) return {};
    auto name = json.at("mistake").get<std::string>();
    const bool known = succeeds(entry.faults, [&] {
        if (std::find(entry.mistakes.begin(), entry.mistakes.end(), name) != entry.mistakes.end()) return;
        const auto meant = text::nearest(name, entry.mistakes);
        entry.fail(inside / "mistake", "must name a file of mistakes/ (got " + cited(name) + ")" +
                                           (meant ? ", did you mean " + cited(*meant) + "?" : ""));
    });
    return known ? name : std::string();
}

double value_of(const Entry& entry, const Pointer& inside, const model::Question& question) {
    const auto formula = entry.json.at(inside).get<std::string>();
    try {
        return questions::evaluate(formula, questions::values_of(question));
    } catch (const questions::FormulaError& error) {
        entry.fail(inside, "cannot be evaluated (got " + cited(formula) + "): " + error.what());
    }
}

std::string id_at(const Entry& entry, const Pointer& inside) {
    const Json& json = entry.json.at(inside);
    auto id = json.get<std::string>();
    if (!is_slug(id)) entry.fail(inside, "must be lower-case words joined by '-' (got " + cited(json) + ")");
    return id;
}

/// Answers name options by their ids.
void check_ids_differ(const Entry& entry, const Pointer& inside, const std::vector<model::Option>& options) {
    std::set<std::string> ids;
    for (const model::Option& option : options)
        if (!ids.insert(option.id).second)
            entry.fail(inside, "must have different ids (" + cited(option.id) + " comes twice)");
}

void read_options(const Entry& entry, model::Question& question) {
    const Pointer all("/options");
    for (std::size_t i = 0; i < entry.json.at(all).size(); ++i) {
        const Json& json = entry.json.at(all / i);
        question.options.push_back({id_at(entry, all / i / "id"), json.at("text"),
                                    json.value("correct", false), json.at("says"),
                                    mistake_at(entry, all / i)});
    }
    check_ids_differ(entry, all, question.options);
}

std::size_t count_correct(const model::Question& question) {
    return static_cast<std::size_t>(std::ranges::count(question.options, true, &model::Option::correct));
}

void read_choice(const Entry& entry, model::Question& question) {
    read_options(entry, question);
    if (const std::size_t correct = count_correct(question); correct != 1)
        entry.fail(Pointer("/options"),
                   "must have exactly one correct option (got " + std::to_string(correct) + ")");
}

void read_several(const Entry& entry, model::Question& question) {
    read_options(entry, question);
    if (const std::size_t correct = count_correct(question);
        correct < 2 || correct == question.options.size())
        entry.fail(Pointer("/options"), "must have two correct options or more, and a wrong one (got " +
                                            std::to_string(correct) + " of " +
                                            std::to_string(question.options.size()) + ")");
}

void read_misconceptions(const Entry& entry, model::Question& question) {
    const Pointer all("/misconceptions");
    for (std::size_t i = 0; i < entry.json.at(all).size(); ++i) {
        const Json& json = entry.json.at(all / i);
        question.misconceptions.push_back({json.at("answer"), json.at("says"), mistake_at(entry, all / i)});
    }
}

/// The `id` and `text` of an option at `inside`.
model::Option plain_option(const Entry& entry, const Pointer& inside) {
    return {id_at(entry, inside / "id"), entry.json.at(inside).at("text"), false, {}, {}};
}

void read_order(const Entry& entry, model::Question& question) {
    const Pointer all("/steps");
    for (std::size_t i = 0; i < entry.json.at(all).size(); ++i) {
        question.options.push_back(plain_option(entry, all / i));
        question.key.push_back(question.options.back().id);
    }
    check_ids_differ(entry, all, question.options);
    read_misconceptions(entry, question);
    std::set<Names> orders{question.key};
    for (std::size_t i = 0; i < question.misconceptions.size(); ++i) {
        std::istringstream words(question.misconceptions[i].answer);
        const Names order{std::istream_iterator<std::string>(words), {}};
        const Pointer inside = Pointer("/misconceptions") / i / "answer";
        if (!std::ranges::is_permutation(order, question.key))
            entry.fail(inside,
                       "must name each step once (got " + cited(question.misconceptions[i].answer) + ")");
        if (!orders.insert(order).second)
            entry.fail(inside, "must differ from the right order and the misconceptions before it");
    }
}

void read_pairs(const Entry& entry, model::Question& question) {
    const Pointer all("/pairs");
    for (std::size_t i = 0; i < entry.json.at(all).size(); ++i) {
        question.options.push_back(plain_option(entry, all / i / "left"));
        question.options.back().concept_name = entry.json.at(all / i).value("concept", "");
        question.matches.push_back(plain_option(entry, all / i / "right"));
        question.key.push_back(question.options.back().id + "=" + question.matches.back().id);
    }
    check_ids_differ(entry, all, question.options);
    check_ids_differ(entry, all, question.matches);
}

void read_variables(const Json& answer, model::Question& question) {
    const Json fixed = answer.value("variables", Json::object());
    for (const auto& [name, value] : fixed.items())
        question.variables[name] = {value.get<double>()};
    const Json drawn = answer.value("drawn", Json::object());
    for (const auto& [name, values] : drawn.items())
        question.variables[name] = values.get<std::vector<double>>();
}

void read_numeric(const Entry& entry, model::Question& question) {
    const Json& answer = entry.json.at("answer");
    answer.at("formula").get_to(question.formula);
    read_variables(answer, question);
    answer.at("tolerance").get_to(question.relative_tolerance);
    question.unit = answer.value("unit", "");
    read_misconceptions(entry, question);

    const auto close = [&](double one, double other) {
        return questions::agrees(one, other, question.relative_tolerance);
    };
    const double right = value_of(entry, Pointer("/answer/formula"), question);
    std::vector<double> before;
    for (std::size_t i = 0; i < question.misconceptions.size(); ++i) {
        const Pointer inside = Pointer("/misconceptions") / i / "answer";
        const double wrong = value_of(entry, inside, question);
        if (close(wrong, right))
            entry.fail(inside,
                       "must differ from the answer by more than the tolerance (got " + cited(wrong) + ")");
        if (std::ranges::any_of(before, [&](double other) { return close(wrong, other); }))
            entry.fail(inside,
                       "must differ from the misconceptions before it by more than the tolerance (got " +
                           cited(wrong) + ")");
        before.push_back(wrong);
    }
}

void read_prediction(const Entry& entry, model::Question& question) {
    const Json& answer = entry.json.at("answer");
    answer.at("output").get_to(question.output);
    read_variables(answer, question);
    read_misconceptions(entry, question);
    std::set<std::string> outputs{questions::as_output(question.output)};
    for (std::size_t i = 0; i < question.misconceptions.size(); ++i)
        if (!outputs.insert(questions::as_output(question.misconceptions[i].answer)).second)
            entry.fail(Pointer("/misconceptions") / i / "answer",
                       "must differ in more than spaces from the answer and the misconceptions before it");
}

void read_short_text(const Entry& entry, model::Question& question) {
    entry.json.at("key_points").get_to(question.key_points);
    entry.json.at("model_answer").get_to(question.model_answer);
}

/// A kind of question: its word in the file, and what reads the fields that only it has.
struct Kind {
    std::string word;
    model::QuestionKind kind;
    void (*read)(const Entry&, model::Question&);
};

const std::vector<Kind> kinds{
    {"multiple_choice", model::QuestionKind::multiple_choice, read_choice},
    {"several", model::QuestionKind::several, read_several},
    {"order", model::QuestionKind::order, read_order},
    {"pairs", model::QuestionKind::pairs, read_pairs},
    {"numeric", model::QuestionKind::numeric, read_numeric},
    {"predict_output", model::QuestionKind::predict_output, read_prediction},
    {"short_text", model::QuestionKind::short_text, read_short_text},
};

void check_texts(const Entry& entry, const model::Question& question) {
    constexpr std::uint64_t any_seed = 0;
    try {
        questions::drawn(question, any_seed);
    } catch (const questions::FormulaError& error) {
        entry.fail(Pointer(), "has a text that cannot be filled in: " + std::string(error.what()));
    }
}

model::Question read_question(const Entry& entry) {
    const auto word = entry.json.at("kind").get<std::string>();
    const Kind& kind =
        *std::find_if(kinds.begin(), kinds.end(), [&](const Kind& row) { return row.word == word; });
    model::Question question;
    question.kind = kind.kind;
    question.id = id_at(entry, Pointer("/id"));
    entry.json.at("concept").get_to(question.concept_name);
    entry.json.at("prompt").get_to(question.prompt);
    entry.json.at("explanation").get_to(question.explanation);
    kind.read(entry, question);
    check_texts(entry, question);
    return question;
}

} // namespace

std::vector<model::Question> read_questions(const Document& document,
                                            const std::vector<std::string>& mistakes, Faults* faults) {
    std::vector<model::Question> questions;
    std::set<std::string> ids;
    const Json& all = document.content.at("questions");
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Entry entry{document, Pointer("/questions") / i, all[i], mistakes, faults};
        questions.push_back(read_question(entry));
        if (!ids.insert(questions.back().id).second)
            entry.fail(Pointer("/id"),
                       "names a second question like that (got " + cited(questions.back().id) + ")");
    }
    return questions;
}

} // namespace catalogue
