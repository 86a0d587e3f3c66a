// questions.json with its formulas, drawn and asked; and a number as a learner types it.
#include "fuzz/target.h"

#include "catalogue/questions.h"
#include "catalogue/schema.h"
#include "model/errors.h"
#include "questions/ask.h"
#include "questions/draw.h"
#include "questions/marking.h"

namespace {

catalogue::Schema schema() {
    const std::filesystem::path schemas = ENGINE_SOURCE_DIR "/schemas";
    return catalogue::Schema(
        catalogue::parse(catalogue::read_source(schemas / "questions.schema.json", schemas)));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const catalogue::Schema of_questions = schema();
    const auto [text, answer] = fuzz::parts_of(fuzz::text_of(data, size));
    std::vector<model::Question> questions;
    try {
        const catalogue::Source source{"questions.json", text};
        catalogue::require_text(source);
        const catalogue::Document document = catalogue::parse(source);
        of_questions.check(document);
        questions = catalogue::read_questions(document, {"one-based-ids"});
    } catch (const model::ContentError&) { // any other exception ends the program
    }
    for (const model::Question& question : questions) {
        const model::Question drawn = questions::drawn(question, 7);
        questions::as_markdown(drawn, 1, questions.size());
        questions::feedback(drawn, questions::mark(drawn, {answer, {}}), 1);
    }
    return 0;
}
