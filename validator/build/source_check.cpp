#include "build/source_check.h"

#include "text/utf8.h"

#include <algorithm>
#include <string_view>

namespace build {
namespace {

constexpr std::size_t largest_bytes = 1 << 20;

model::Diagnostic says(const model::SourceFile& file, std::size_t at, std::string message,
                       std::string explanation) {
    model::Diagnostic diagnostic;
    diagnostic.file = file.name;
    if (at != std::string_view::npos)
        diagnostic.line =
            1 + static_cast<int>(
                    std::count(file.text.begin(), file.text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    diagnostic.message = std::move(message);
    diagnostic.explanation = std::move(explanation);
    return diagnostic;
}

} // namespace

std::optional<model::Diagnostic> check_source(const model::SourceFile& file, const std::string& reset) {
    const std::string_view text = file.text;
    constexpr auto nowhere = std::string_view::npos;
    if (text.find_first_not_of(" \t\r\n\v\f") == nowhere)
        return says(file, nowhere, "the file is empty",
                    file.name + " is empty: write the function there, or get the starter back with `" +
                        reset + "`.");
    if (text.size() > largest_bytes)
        return says(file, nowhere, "the file is larger than 1 MiB",
                    file.name + " has " + std::to_string(text.size()) +
                        " bytes; at most 1 MiB (1048576 bytes) is compiled. Was the right file saved?");
    if (const std::size_t at = text.find('\0'); at != nowhere)
        return says(file, at, "NUL byte at offset " + std::to_string(at),
                    file.name + " holds a NUL byte at offset " + std::to_string(at) +
                        ", so it is not plain text: save it as UTF-8.");
    if (const auto at = text::first_ill_formed(text))
        return says(file, *at, "not UTF-8 at byte offset " + std::to_string(*at),
                    file.name + " is not UTF-8 at byte offset " + std::to_string(*at) +
                        ": save it with the encoding UTF-8.");
    return std::nullopt;
}

std::vector<model::Diagnostic> check_sources(const model::Problem& problem,
                                             const model::Submission& submission) {
    std::vector<model::Diagnostic> found;
    for (const std::string& name : problem.files) {
        const auto file = std::ranges::find(submission.files, name, &model::SourceFile::name);
        if (file == submission.files.end()) {
            model::Diagnostic missing;
            missing.file = name;
            missing.message = "the file is missing";
            missing.explanation = name + " is missing: get the starter back with `" + submission.call +
                                  " reset " + problem.id + "`.";
            found.push_back(std::move(missing));
        } else if (auto diagnostic = check_source(*file, submission.call + " reset " + problem.id)) {
            found.push_back(std::move(*diagnostic));
        }
    }
    return found;
}

} // namespace build
