#include "catalogue/bases.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "catalogue/header.h"
#include "diff/patch.h"
#include "model/errors.h"
#include "text/nearest.h"

namespace catalogue {
namespace {

namespace fs = std::filesystem;

const Base& base_of(const diff::Patch& patch, const std::vector<Base>& bases) {
    const auto found = std::ranges::find(bases, patch.base, &Base::name);
    if (found != bases.end()) return *found;
    std::vector<std::string> names;
    names.reserve(bases.size());
    for (const Base& base : bases)
        names.push_back(base.name);
    const auto meant = text::nearest(patch.base, names);
    throw model::ContentError(
        patch.file, "line " + std::to_string(patch.line) + ":",
        "the base must be the reference or an accepted variant (got \"" + patch.base + "\"), " +
            (meant ? "did you mean \"" + *meant + "\"?" : "such as \"" + names.front() + "\""));
}

/// Without the header of the base, which is about the base.
std::string code_of(std::string program, const Base& base) {
    if (program.starts_with(base.header)) program.erase(0, base.header.size());
    return program;
}

} // namespace

fs::path root_of(const model::Problem& problem) {
    return problem.folder.lexically_normal().parent_path().parent_path();
}

std::vector<Base> read_bases(const model::Problem& problem) {
    const fs::path root = root_of(problem);
    const fs::path& reference = problem.reference.front();
    std::vector<Base> bases{{"reference/" + problem.id + "/" + problem.files.front(), reference, "",
                             read_source(reference, root).text}};
    for (const fs::path& file : problem.accepted) {
        Source source = read_source(file, root);
        bases.push_back({"problems/" + problem.id + "/accepted/" + file.filename().string(), file,
                         read_accepted_header(source), std::move(source.text)});
    }
    return bases;
}

Derived derive(const Source& source, std::size_t begin, std::size_t line, const std::string& changed,
               const std::vector<Base>& bases) {
    const diff::Patch patch = diff::parse(std::string_view(source.text).substr(begin), source.name, line);
    if (patch.changed != changed)
        fail(source, patch.line + 1, "must be \"+++ " + changed + "\", the file's name");
    const Base& base = base_of(patch, bases);
    Derived derived{base, code_of(diff::apply(patch, base.text), base)};
    if (derived.program == base.code()) fail(source, patch.line, "the diff changes no code");
    return derived;
}

} // namespace catalogue
