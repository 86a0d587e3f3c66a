#include "catalogue/mistakes.h"

#include <algorithm>

#include "catalogue/source.h"
#include "diff/make.h"
#include "diff/patch.h"
#include "model/errors.h"
#include "text/nearest.h"

namespace catalogue {
namespace {

namespace fs = std::filesystem;

fs::path root_of(const model::Problem& problem) {
    return problem.folder.lexically_normal().parent_path().parent_path();
}

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

std::ptrdiff_t lines_in(const std::string& text) {
    return std::ranges::count(text, '\n');
}

/// Without the header of the base, which is about the base.
std::string code_of(std::string program, const Base& base) {
    if (program.starts_with(base.header)) program.erase(0, base.header.size());
    return program;
}

void apply(model::Mistake& mistake, const Source& source, const MistakeHeader& header,
           const std::vector<Base>& bases) {
    const diff::Patch patch =
        diff::parse(std::string_view(source.text).substr(header.end), source.name, header.line);
    if (patch.changed != "mistakes/" + mistake.name)
        fail(source, patch.line + 1, "must be \"+++ mistakes/" + mistake.name + "\", the file's name");
    const Base& base = base_of(patch, bases);
    mistake.base = base.file;
    mistake.base_text = base.code();
    mistake.program = code_of(diff::apply(patch, base.text), base);
    if (mistake.program == mistake.base_text) fail(source, patch.line, "the diff changes no code");
}

model::Mistake read_mistake(const fs::path& file, const model::Problem& problem,
                            const std::vector<Base>& bases) {
    const Source source = read_source(file, root_of(problem));
    const bool is_diff = file.extension() == ".diff";
    MistakeHeader header = read_mistake_header(source, is_diff ? HeaderForm::plain : HeaderForm::comment);
    model::Mistake mistake;
    mistake.name = file.stem().string();
    mistake.file = file;
    if (is_diff)
        apply(mistake, source, header, bases);
    else
        mistake.program = source.text.substr(header.end);
    mistake.says = std::move(header.says);
    mistake.hint = std::move(header.hint);
    mistake.symptom = std::move(header.symptom);
    return mistake;
}

} // namespace

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

Nearest nearest_base(const model::Problem& problem, const std::string& program, const std::string& name) {
    std::optional<Nearest> nearest;
    for (Base& base : read_bases(problem)) {
        const std::string whole = base.header + program;
        std::string diff = diff::make(base.text, whole, base.name, "mistakes/" + name);
        if (nearest && lines_in(nearest->diff) <= lines_in(diff)) continue;
        const double shared = diff::shared(base.code(), program);
        nearest = {std::move(base), std::move(diff), shared};
    }
    return *nearest;
}

std::optional<MistakeFile> write_mistake(const model::Problem& problem, const std::string& name,
                                         const MistakeHeader& header, const std::string& program) {
    Nearest nearest = nearest_base(problem, program, name);
    if (nearest.diff.empty()) return std::nullopt;
    if (nearest.shared >= least_shared)
        return MistakeFile{name + ".diff", write_mistake_header(header, HeaderForm::plain) + nearest.diff,
                           nearest.base.name};
    const std::string ending = problem.reference.front().extension().string();
    return MistakeFile{name + ending, write_mistake_header(header, HeaderForm::comment) + program, ""};
}

std::vector<model::Mistake> read_mistakes(const std::vector<fs::path>& files, const model::Problem& problem,
                                          Faults* faults) {
    const std::vector<Base> bases = read_bases(problem);
    std::vector<model::Mistake> mistakes;
    for (const fs::path& file : files)
        succeeds(faults, [&] {
            model::Mistake mistake = read_mistake(file, problem, bases);
            if (std::ranges::find(mistakes, mistake.name, &model::Mistake::name) != mistakes.end())
                throw model::ContentError(shown(file, root_of(problem)), "",
                                          "another file has the same name and another ending");
            mistakes.push_back(std::move(mistake));
        });
    return mistakes;
}

} // namespace catalogue
