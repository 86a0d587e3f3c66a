#include "app/teaching/exporting.h"

#include "build/file.h"
#include "catalogue/source.h"
#include "coursework/outcome.h"
#include "model/errors.h"
#include "system/beneath.h"
#include "system/temporary.h"
#include "system/write_beneath.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace teaching {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_export(const fs::path& path) {
    throw model::EnvironmentError("cannot write " + path.string() + ": " + std::strerror(errno));
}

void write_file(const fs::path& folder, const fs::path& name, const std::string& text) {
    const sys::Fd open = sys::open_folder(folder);
    if (!open || !sys::write_beneath(open, name, text)) cannot_export(folder / name);
}

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw model::EnvironmentError("cannot make the folder " + folder.string() + ": " + error.message());
}

const exports::Format& format_called(const std::string& name) {
    return *std::ranges::find(exports::formats(), name, &exports::Format::name);
}

fs::path folder_of(const fs::path& file) {
    return file.parent_path().empty() ? "." : file.parent_path();
}

} // namespace

Exports::Exports(const app::Context& context) : pseudonyms_file_(context.options().pseudonyms) {
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
        make_folder(format.folder ? path : folder_of(path));
        targets_.push_back({&format, path});
    }
    if (pseudonyms_file_.empty() || !fs::exists(pseudonyms_file_)) return;
    try {
        pseudonyms_ = exports::read_pseudonyms(catalogue::read_source(pseudonyms_file_, {}));
    } catch (const model::ContentError& error) {
        throw model::UsageError(error.what());
    }
}

gradebook::Book Exports::readable(const gradebook::Gradebook& book) {
    gradebook::Book all = book.read();
    if (pseudonyms_file_.empty()) return all;
    exports::complete(pseudonyms_, all, [] { return sys::random_name("p-").substr(0, 10); });
    write_file(folder_of(pseudonyms_file_), pseudonyms_file_.filename(),
               exports::write_pseudonyms(pseudonyms_));
    return exports::pseudonymous(std::move(all), pseudonyms_);
}

void Exports::write(const gradebook::Gradebook& book, const coursework::Assignment& assignment,
                    const catalogue::Schema& reports) {
    if (targets_.empty()) return;
    const gradebook::Book all = readable(book);
    const auto grades = gradebook::grades_of(all, assignment);
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    const exports::GradedClass graded{assignment, all, grades,
                                      [&](gradebook::Id judgement) {
                                          return coursework::read_outcome("a report of the gradebook",
                                                                          book.report(judgement), reports);
                                      },
                                      coursework::utc(now)};
    for (const Target& target : targets_)
        for (const exports::File& file : target.format->render(graded)) {
            if (target.format->folder)
                write_file(target.path, file.path, file.text);
            else
                write_file(folder_of(target.path), target.path.filename(), file.text);
        }
}

} // namespace teaching
