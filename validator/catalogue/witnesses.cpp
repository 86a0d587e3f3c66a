#include "catalogue/witnesses.h"

#include "catalogue/bases.h"
#include "catalogue/header.h"
#include "catalogue/source.h"
#include "model/errors.h"

#include <algorithm>
#include <string>
#include <utility>

namespace catalogue {
namespace {

namespace fs = std::filesystem;

bool is_diff(const fs::path& file) {
    return file.extension() == ".diff";
}

/// `bases` gets the witness if it is stored whole.
model::Witness read_witness(const fs::path& file, const model::Problem& problem, std::vector<Base>& bases) {
    Source source = read_source(file, root_of(problem));
    WitnessHeader header =
        read_witness_header(source, is_diff(file) ? HeaderForm::plain : HeaderForm::comment);
    model::Witness witness;
    witness.name = file.stem().string();
    witness.file = file;
    witness.fault = std::move(header.fault);
    witness.origin = std::move(header.origin);
    witness.thorough = header.thorough;
    if (is_diff(file)) {
        witness.program = derive(source, header.end, header.line, "witnesses/" + witness.name, bases).program;
        return witness;
    }
    witness.program = source.text.substr(header.end);
    if (witness.program.empty()) fail(source, header.line, "there is no program after the header");
    bases.push_back({"problems/" + problem.id + "/witnesses/" + file.filename().string(), file,
                     source.text.substr(0, header.end), std::move(source.text)});
    return witness;
}

} // namespace

std::vector<model::Witness> read_witnesses(const std::vector<fs::path>& files, const model::Problem& problem,
                                           Faults* faults) {
    std::vector<Base> bases = read_bases(problem);
    std::vector<fs::path> whole_first = files;
    std::stable_partition(whole_first.begin(), whole_first.end(),
                          [](const fs::path& file) { return !is_diff(file); });
    std::vector<model::Witness> witnesses;
    for (const fs::path& file : whole_first)
        succeeds(faults, [&] {
            model::Witness witness = read_witness(file, problem, bases);
            if (std::ranges::find(witnesses, witness.name, &model::Witness::name) != witnesses.end())
                throw model::ContentError(shown(file, root_of(problem)), "",
                                          "another file has the same name and another ending");
            witnesses.push_back(std::move(witness));
        });
    std::ranges::sort(witnesses, {}, &model::Witness::name);
    return witnesses;
}

} // namespace catalogue
