#include "app/teaching/exporting.h"

#include "app/teaching/engine_source.h"
#include "app/teaching/written_file.h"
#include "coursework/outcome.h"
#include "model/errors.h"

#include <algorithm>
#include <chrono>

namespace teaching {
namespace {

namespace fs = std::filesystem;

const exports::Format& format_called(const std::string& name) {
    return *std::ranges::find(exports::formats(), name, &exports::Format::name);
}

} // namespace

Exports::Exports(const app::Context& context)
    : layout_(context.layout()), pseudonyms_(context.options().pseudonyms) {
    for (const app::ReportOption& wanted : context.options().exports) {
        const exports::Format& format = format_called(wanted.format);
        const fs::path path = wanted.output;
        if (path.empty())
            throw model::UsageError("--export " + wanted.format + " needs a place, as in: --export " +
                                    wanted.format + " --output " + (format.folder ? "FOLDER" : "FILE"));
        std::error_code none_yet;
        if (!format.folder && fs::is_directory(path, none_yet))
            throw model::UsageError("--output " + path.string() + " is a folder, and " + wanted.format +
                                    " is a file");
        if (format.folder && fs::exists(path, none_yet) && !fs::is_directory(path, none_yet))
            throw model::UsageError("--output " + path.string() + " is a file, and " + wanted.format +
                                    " needs a folder");
        if (format.name == "gradescope-autograder") source_folder(layout_);
        make_folder(format.folder ? path : folder_of(path));
        targets_.push_back({&format, path});
    }
}

exports::AutograderParts Exports::autograder_parts(const gradebook::Gradebook& book,
                                                   const coursework::Assignment& assignment) const {
    const gradebook::Setup setup = book.setup().value_or(gradebook::Setup());
    return {setup.document, setup.seed, engine_source(layout_, assignment)};
}

void Exports::write(const gradebook::Gradebook& book, const coursework::Assignment& assignment,
                    const catalogue::Schema& reports) {
    if (targets_.empty()) return;
    const gradebook::Book all = pseudonyms_.readable(book.read());
    const auto grades = gradebook::grades_of(all, assignment);
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    const exports::GradedClass graded{assignment,
                                      all,
                                      grades,
                                      [&](gradebook::Id judgement) {
                                          return coursework::read_outcome("a report of the gradebook",
                                                                          book.report(judgement), reports);
                                      },
                                      coursework::utc(now),
                                      [&] { return autograder_parts(book, assignment); }};
    for (const Target& target : targets_)
        for (const exports::File& file : target.format->render(graded)) {
            if (target.format->folder)
                write_file(target.path, file.path, file.text);
            else
                write_file(folder_of(target.path), target.path.filename(), file.text);
        }
}

} // namespace teaching
