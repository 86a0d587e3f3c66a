#include "app/scaffold/mistake_file.h"

#include "app/verify/blanks.h"
#include "build/file.h"
#include "model/errors.h"

#include <cerrno>
#include <cstring>

namespace scaffold {
namespace {

namespace fs = std::filesystem;

/// The folder of the problem's mistakes, which is there afterwards.
fs::path mistakes_of(const model::Problem& problem) {
    const fs::path folder = problem.folder / "mistakes";
    std::error_code error;
    fs::create_directory(folder, error);
    if (!error && fs::canonical(folder, error) != fs::canonical(problem.folder, error) / "mistakes")
        throw model::UsageError("cannot store a mistake of " + problem.id + ": " + folder.string() +
                                " leads to another folder; make it a folder of the package");
    if (error)
        throw model::EnvironmentError("cannot store a mistake in " + folder.string() + ": " +
                                      error.message() + "; is the package yours?");
    return folder;
}

} // namespace

catalogue::MistakeHeader blank_header() {
    const std::string blank = verify::blank_mark;
    return {.says = blank + "the diagnosis, in second person, such as: You copied the values as they are",
            .hint = blank + "one sentence, where to look next",
            .symptom = blank + "what a user of the code would see"};
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

    const fs::path folder = mistakes_of(problem);
    const fs::path target = folder / file->name;
    if (!build::write_atomically(target, file->text, 0644))
        throw model::EnvironmentError("cannot write " + target.string() + ": " + std::strerror(errno) +
                                      "; is the disk full, or the package not yours?");
    for (const model::Mistake& before : problem.mistakes) // in the other form
        if (before.name == name && before.file.filename() != file->name) fs::remove(before.file);
    return {target, file->base};
}

} // namespace scaffold
