#include "app/verify/equivalents.h"

#include "catalogue/document.h"
#include "catalogue/schema.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace verify {

namespace fs = std::filesystem;

std::vector<Equivalent> read_equivalents(const fs::path& problem_folder, const fs::path& schemas,
                                         const std::string& only_file) {
    const fs::path file = problem_folder / "equivalent.json";
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return {};
    const fs::path root = problem_folder.parent_path().parent_path();
    const catalogue::Document document = catalogue::parse(catalogue::read_source(file, root));
    catalogue::Schema(catalogue::parse(catalogue::read_source(schemas / "equivalent.schema.json", root)))
        .check(document);
    std::vector<Equivalent> marks;
    for (const catalogue::Json& mark : document.content.at("mutants"))
        marks.push_back({mark.value("file", only_file), mark.at("line"), mark.at("original"),
                         mark.at("mutation"), mark.at("reason")});
    return marks;
}

std::vector<std::size_t> match(const std::vector<Equivalent>& marks, const std::vector<std::string>& files,
                               const std::vector<Candidate>& all) {
    std::vector<std::size_t> meant;
    std::set<std::size_t> taken;
    for (const Equivalent& mark : marks) {
        std::size_t best = all.size();
        for (std::size_t k = 0; k < all.size(); ++k) {
            const Mutant& mutant = all[k].mutant;
            if (files[all[k].file] != mark.file || mutant.original != mark.original ||
                mutant.mutation != mark.mutation || taken.contains(k))
                continue;
            if (best == all.size() ||
                std::abs(mutant.line - mark.line) < std::abs(all[best].mutant.line - mark.line))
                best = k;
        }
        if (best < all.size()) taken.insert(best);
        meant.push_back(best);
    }
    return meant;
}

} // namespace verify
