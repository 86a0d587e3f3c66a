#include "app/asking/answers_file.h"

#include "catalogue/document.h"
#include "model/errors.h"
#include "questions/marking.h"
#include "text/nearest.h"

#include <algorithm>

namespace asking {
namespace {

using catalogue::cited;
using catalogue::Document;
using catalogue::Json;
using catalogue::Pointer;

constexpr const char* format = "engine.answers/1";

/// Ids side by side, or `left=right` for an object.
std::string words_of(const Document& document, const Pointer& where, const Json& value) {
    std::string words;
    for (const auto& [key, each] : value.items()) {
        if (!each.is_string())
            document.fail(where / key, "must be the id of an option (got " + cited(each) + ")");
        words += (words.empty() ? "" : " ") + (value.is_object() ? key + "=" : "") + each.get<std::string>();
    }
    return words;
}

model::Answer written(const Document& document, const Pointer& where, const Json& value) {
    model::Answer answer;
    for (const auto& [key, each] : value.items()) {
        if (key == "text" && each.is_string())
            answer.text = each;
        else if (key == "met" && each.is_array() &&
                 std::ranges::all_of(each, [](const Json& point) { return point.is_number_unsigned(); }))
            answer.met = each.get<std::vector<std::size_t>>();
        else
            document.fail(where / key,
                          "does not belong here: a text has \"text\", and \"met\" with the numbers of "
                          "the key points that it makes");
    }
    return answer;
}

model::Answer answer_at(const Document& document, const Pointer& where, const model::Question& question) {
    using enum model::QuestionKind;
    const Json& value = document.content.at(where);
    if (value.is_string()) return {value.get<std::string>(), {}};
    if (question.kind == numeric && value.is_number()) return {value.dump(), {}};
    if ((question.kind == several || question.kind == order) && value.is_array())
        return {words_of(document, where, value), {}};
    if (question.kind == pairs && value.is_object()) return {words_of(document, where, value), {}};
    if (question.kind == short_text && value.is_object()) return written(document, where, value);
    const char* const wanted = question.kind == numeric           ? "a number or a string"
                               : question.kind == multiple_choice ? "the id of an option"
                               : question.kind == several         ? "a list of ids of options"
                               : question.kind == order           ? "a list of the ids of all steps"
                               : question.kind == pairs           ? "an object from left ids to right ones"
                               : question.kind == predict_output
                                   ? "a string"
                                   : "a string, or an object with \"text\" and \"met\"";
    document.fail(where, std::string("must be ") + wanted + " (got " + cited(value) + ")");
}

void check_head(const Document& document, const Expected& expected) {
    const Json& all = document.content;
    if (!all.is_object())
        document.fail(Pointer(), "must be an object with schema, problem, seed and answers");
    for (const auto& [key, value] : all.items())
        if (key != "schema" && key != "problem" && key != "seed" && key != "answers")
            document.fail(Pointer() / key, "is not known here");
    for (const char* key : {"schema", "problem", "seed", "answers"})
        if (!all.contains(key)) document.fail(Pointer(), std::string("has no \"") + key + "\"");
    if (all.at("schema") != format)
        document.fail(Pointer("/schema"),
                      "must be \"" + std::string(format) + "\" (got " + cited(all.at("schema")) + ")");
    if (all.at("problem") != expected.problem)
        document.fail(Pointer("/problem"), "must be \"" + expected.problem +
                                               "\", whose questions these are (got " +
                                               cited(all.at("problem")) + ")");
    // Above 2^53 our reports write a seed as a string.
    const Json& seed = all.at("seed");
    if (seed != expected.seed && seed != std::to_string(expected.seed))
        document.fail(Pointer("/seed"),
                      "must be " + std::to_string(expected.seed) +
                          ", the seed of the attempt, which draws values and options (got " + cited(seed) +
                          ")");
    if (!all.at("answers").is_object())
        document.fail(Pointer("/answers"), "must be an object from questions to answers");
}

const model::Question& question_called(const Document& document, const Expected& expected,
                                       const std::string& id) {
    const auto found = std::ranges::find(expected.drawn, id, &model::Question::id);
    if (found != expected.drawn.end()) return *found;
    std::vector<std::string> ids;
    for (const model::Question& question : expected.drawn)
        ids.push_back(question.id);
    const auto near = text::nearest(id, ids);
    document.fail(Pointer("/answers") / id,
                  "is not a question of " + expected.problem + (near ? "; did you mean " + *near + "?" : ""));
}

} // namespace

std::map<std::string, model::Answer> read_answers(const catalogue::Source& source, const Expected& expected) {
    const Document document = catalogue::parse(source);
    check_head(document, expected);
    std::map<std::string, model::Answer> answers;
    for (const auto& [id, value] : document.content.at("answers").items()) {
        const Pointer where = Pointer("/answers") / id;
        const model::Question& question = question_called(document, expected, id);
        model::Answer answer = answer_at(document, where, question);
        if (const auto mark = questions::mark(question, answer); !mark.standing)
            document.fail(where, "is not an answer: " + mark.says);
        answers.emplace(id, std::move(answer));
    }
    return answers;
}

std::map<std::string, model::Answer> read_answers(const std::filesystem::path& file,
                                                  const Expected& expected) {
    try {
        return read_answers(catalogue::read_source(file, {}), expected);
    } catch (const model::ContentError& error) {
        throw model::UsageError(error.what()); // the file is the learner's, not a package's
    }
}

} // namespace asking
