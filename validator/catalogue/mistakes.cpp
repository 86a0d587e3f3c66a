#include "catalogue/mistakes.h"

#include <algorithm>

#include "catalogue/source.h"
#include "diff/make.h"
#include "model/errors.h"

namespace catalogue {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t lines_in(const std::string& text) {
    return std::ranges::count(text, '\n');
}

model::Mistake read_mistake(const fs::path& file, const model::Problem& problem,
                            const std::vector<Base>& bases) {
    const Source source = read_source(file, root_of(problem));
    const bool is_diff = file.extension() == ".diff";
    MistakeHeader header = read_mistake_header(source, is_diff ? HeaderForm::plain : HeaderForm::comment);
    model::Mistake mistake;
    mistake.name = file.stem().string();
    mistake.file = file;
    if (is_diff) {
        Derived derived = derive(source, header.end, header.line, "mistakes/" + mistake.name, bases);
        mistake.base = derived.base.file;
        mistake.base_text = derived.base.code();
        mistake.program = std::move(derived.program);
    } else {
        mistake.program = source.text.substr(header.end);
    }
    mistake.says = std::move(header.says);
    mistake.hint = std::move(header.hint);
    mistake.symptom = std::move(header.symptom);
    return mistake;
}

} // namespace

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
