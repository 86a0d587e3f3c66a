#pragma once

#include "app/verify/alternatives.h"
#include "app/verify/mutate.h"

#include <cstddef>
#include <map>
#include <set>
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

inline constexpr const char* book_name = "mutants.cpp";

/// The source files, by name, of a worker program that holds candidates `which`, and the reference as it is
/// under the name `unchanged`. `book_name` is the one to compile. `from_contract` names the functions that
/// the contract defines itself.
std::map<std::string, std::string> write_book(const std::vector<std::size_t>& which,
                                              const std::vector<Candidate>& all,
                                              const std::vector<std::string>& sources,
                                              const std::vector<std::string>& from_contract, Copied copied);

/// The mutants of a book that a compiler's errors are about, `unchanged` among them where it is the reference
/// itself, and an empty name where nobody can tell. Where an error lies in a header, the places that led
/// there were named in the lines before it, and the unchanged part may have come after the mutant on that
/// way.
std::set<std::string> blamed(const std::string& output);

} // namespace verify
