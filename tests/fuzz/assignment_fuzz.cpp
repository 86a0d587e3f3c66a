// An assignment that `grade` is given.
#include "fuzz/target.h"

#include "catalogue/document.h"
#include "coursework/assignment.h"
#include "model/errors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::filesystem::path root = ENGINE_SOURCE_DIR;
    static const catalogue::Schema schema(
        catalogue::parse(catalogue::read_source(root / "schemas/assignment.schema.json", root)));
    const catalogue::Source source{"assignment.json", std::string(fuzz::text_of(data, size))};
    try {
        catalogue::require_text(source);
        const coursework::Assignment assignment = coursework::read_assignment(source, schema);
        fuzz::require(!assignment.problems.empty(), "something is assigned");
        for (const coursework::AssignedProblem& problem : assignment.problems)
            fuzz::require(problem.weight > 0, "a weight is positive");
    } catch (const model::ContentError&) { // any other exception ends the program
    }
    return 0;
}
