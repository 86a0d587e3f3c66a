#pragma once

#include "bundle/choices.h"
#include "bundle/source.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace bundle {

/// A program as what it changes in its base, such that choosing all of it does what the program does.
struct Derivation {
    std::vector<Choice> choices; ///< with the given number
    std::vector<Addition> additions;
    std::set<std::string> added;    ///< the names that the additions declare; the base has none of them
    std::set<std::string> includes; ///< headers that the base does not include
    bool same_lines = true;         ///< what both have in common has the same line numbers in both
};

/// Nothing where the program has to be a copy of its own: where a change lies outside of what runs or could
/// mean something else there, and where the base keeps state that programs would share. `file` names the
/// program's text.
std::optional<Derivation> derive(const Source& base, const Source& program, std::size_t number,
                                 const std::string& file);

} // namespace bundle
