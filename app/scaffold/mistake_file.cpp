#include "app/scaffold/mistake_file.h"

#include "app/verify/blanks.h"
#include "model/errors.h"
#include "workspace/write.h"

namespace scaffold {

namespace fs = std::filesystem;

namespace {

catalogue::MistakeHeader blank_header() {
    const std::string blank = verify::blank_mark;
    return {.says = blank + "the diagnosis, in second person, such as: You copied the values as they are",
            .hint = blank + "one sentence, where to look next",
            .symptom = blank + "what a user of the code would see"};
}

/// Where a mistake is stored as a difference, or as a whole program.
fs::path file_of(const model::Problem& problem, const std::string& name, catalogue::HeaderForm form) {
    const bool whole = form == catalogue::HeaderForm::comment;
    return problem.folder / "mistakes" /
           (name + (whole ? problem.reference.front().extension().string() : ".diff"));
}

} // namespace

catalogue::MistakeHeader stored_header(const model::Problem& problem, const std::string& name) {
    for (const catalogue::HeaderForm form : {catalogue::HeaderForm::plain, catalogue::HeaderForm::comment}) {
        catalogue::Faults ignored;
        catalogue::MistakeHeader header;
        if (catalogue::succeeds(&ignored, [&] {
                header = read_mistake_header(catalogue::read_source(file_of(problem, name, form), {}), form);
            }))
            return header;
    }
    return blank_header();
}

std::string editable(const catalogue::MistakeHeader& header, const std::string& program) {
    return catalogue::write_mistake_header(header, catalogue::HeaderForm::comment) + program;
}

Draft read_draft(const std::string& text, const std::string& shown_as,
                 const catalogue::MistakeHeader& header) {
    if (!text.starts_with("// Says:")) return {header, text};
    catalogue::MistakeHeader own =
        catalogue::read_mistake_header({shown_as, text}, catalogue::HeaderForm::comment);
    std::string program = text.substr(own.end);
    return {std::move(own), std::move(program)};
}

Stored store_mistake(const model::Problem& problem, const std::string& name, const Draft& draft) {
    const std::string what = "cannot store the mistake " + name + " of " + problem.id + ": ";
    if (draft.program.find('\r') != std::string::npos)
        throw model::UsageError(what + "its lines end with CR LF; store the program with LF alone");
    const auto file = catalogue::write_mistake(problem, name, draft.header, draft.program);
    if (!file)
        throw model::UsageError(what +
                                "the program is identical to a right one; change what should be wrong");

    const fs::path name_in_package = fs::path("mistakes") / file->name;
    workspace::write(problem.folder, name_in_package, file->text);
    fs::remove(file_of(problem, name,
                       file->base.empty() ? catalogue::HeaderForm::plain : catalogue::HeaderForm::comment));
    return {problem.folder / name_in_package, file->base};
}

} // namespace scaffold
