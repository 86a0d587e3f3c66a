#pragma once

#include "app/verify/mutate.h"
#include "bundle/programs.h"

#include <cstddef>
#include <string>
#include <vector>

namespace verify {

/// A mutant of one file of a problem's reference.
struct Candidate {
    std::size_t file = 0; ///< index into the problem's files
    Mutant mutant;
    bool chosen =
        false; ///< while the program runs, among the copies of a place; else it has a copy of everything
};

/// The mutants of all files, in order.
std::vector<Candidate> candidates(const std::vector<std::string>& sources);

/// The name of the reference as it is among those of mutants, which are numbers.
inline constexpr const char* unchanged = "unchanged";

/// "mutant_12_0.cpp": what file 0 of the reference is for a mutant.
std::string file_name(const std::string& mutant, std::size_t file);

/// A worker that is candidates `which`, each under its number, and the reference as it is. `from_contract`
/// names the functions that the contract defines itself.
bundle::Written write_book(const std::vector<std::size_t>& which, const std::vector<Candidate>& all,
                           const std::vector<std::string>& sources,
                           const std::vector<std::string>& from_contract, bundle::Copied copied);

} // namespace verify
