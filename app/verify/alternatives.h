#pragma once

#include "app/verify/mutate.h"
#include "bundle/functions.h"

#include <cstddef>
#include <string>
#include <vector>

/// Many mutants in one program: the places that they change hold their changed copies beside what was there,
/// and a number chooses among them while the program runs. After R. H. Untch, A. J. Offutt, M. J. Harrold,
/// "Mutation analysis using mutant schemata", ISSTA 1993.
namespace verify {

/// A mutant and the number that chooses it.
struct Alternative {
    std::size_t number = 0;
    const Mutant* mutant = nullptr;
};

/// How much is copied for a mutant.
enum class Copied {
    place, ///< the smallest place that holds the change: little to compile, but all copies need one type
    body   ///< all of the function
};

/// Whether a mutant changes only the body of one of its source's functions that runs when the program does.
bool can_be_chosen(const Mutant& mutant, const std::vector<bundle::Function>& functions);

/// The source in which `::chosen_mutant` chooses among `alternatives`, all of which can be chosen; any other
/// number leaves everything as it was. For the compiler's messages, the code of alternative n lies in
/// "mutant_<n>_<file>.cpp", the rest in "mutant_<unchanged>_<file>.cpp", with the lines that they have in
/// `source`.
std::string with_alternatives(const std::string& source, std::size_t file,
                              const std::vector<Alternative>& alternatives, Copied copied);

/// "mutant_12_0.cpp"
std::string file_name(const std::string& mutant, std::size_t file);

inline constexpr const char* unchanged = "unchanged";

} // namespace verify
