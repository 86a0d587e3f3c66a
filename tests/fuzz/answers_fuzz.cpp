// A file of answers that `submit-justification` is given.
#include "fuzz/target.h"

#include "app/asking/answers_file.h"
#include "model/errors.h"
#include "unit/questions/examples.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::vector<model::Question> questions = examples::all();
    const catalogue::Source source{"answers.json", std::string(fuzz::text_of(data, size))};
    try {
        catalogue::require_text(source);
        const auto answers = asking::read_answers(source, {"token-lookup", 7, questions});
        fuzz::require(answers.size() <= questions.size(), "an answer is to a question");
    } catch (const model::ContentError&) { // any other exception ends the program
    }
    return 0;
}
