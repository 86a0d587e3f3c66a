#pragma once

#include "app/verify/book.h"
#include "model/problem.h"

#include <filesystem>
#include <string>
#include <vector>

namespace verify {

/// A mutant that an author has shown to do the same as the reference: a line of
/// problems/<id>/equivalent.json.
struct Equivalent {
    std::string file; ///< of the reference
    int line = 0;     ///< as it was when marked: tells equal lines apart
    std::string original;
    std::string mutation;
    std::string reason;
};

/// None where the file does not exist. Throws model::ContentError.
std::vector<Equivalent> read_equivalents(const std::filesystem::path& problem_folder,
                                         const std::filesystem::path& schemas, const std::string& only_file);

/// For each mark, the candidate that it means: the one with its text nearest to its line, and each only once.
/// `all.size()` where there is none.
std::vector<std::size_t> match(const std::vector<Equivalent>& marks, const std::vector<std::string>& files,
                               const std::vector<Candidate>& all);

} // namespace verify
