#include "app/teaching/answers.h"

#include "app/asking/answers_file.h"
#include "catalogue/document.h"
#include "intake/select.h"
#include "questions/draw.h"
#include "questions/marking.h"
#include "report/words.h"

namespace teaching {
namespace {

/// The seed that the file itself names; any other value is refused when the answers are read.
std::uint64_t seed_in(const catalogue::Source& source) {
    const catalogue::Document document = catalogue::parse(source);
    if (!document.content.is_object()) return 0;
    const auto seed = document.content.find("seed");
    if (seed == document.content.end()) return 0;
    if (seed->is_number_unsigned()) return seed->get<std::uint64_t>();
    try {
        return seed->is_string() ? std::stoull(seed->get<std::string>()) : 0;
    } catch (const std::logic_error&) { // no number, or too large a one
        return 0;
    }
}

} // namespace

std::vector<gradebook::AnswerRow> marked_answers(const model::Problem& problem, bool alone,
                                                 const std::vector<intake::Entry>& entries) {
    const intake::Entry* const file = intake::find_file("answers.json", problem.id, alone, entries);
    if (file == nullptr) return {};
    const catalogue::Source source{file->path, file->text};
    catalogue::require_text(source);
    const std::uint64_t seed = seed_in(source);
    const std::vector<model::Question> drawn = questions::drawn(problem.questions, seed);
    const auto answers = asking::read_answers(source, {problem.id, seed, drawn});
    std::vector<gradebook::AnswerRow> rows;
    for (const model::Question& question : drawn) {
        gradebook::AnswerRow row{problem.id, question.id, std::string(report::name(question.kind))};
        if (const auto answer = answers.find(question.id); answer != answers.end()) {
            row.mark =
                *questions::mark(question, answer->second).standing; // what cannot be marked was refused
            row.text = answer->second.text;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace teaching
