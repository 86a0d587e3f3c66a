#pragma once

#include "model/judgement.h"

#include <string>
#include <string_view>
#include <vector>

/// Submissions are compiled with the judge's options alone: what a source says of its own is taken out. It
/// could change what a check observes, and what one build does against another.
namespace build {

/// Whether a source might choose options of the compiler, so that it has to be looked at once it is
/// preprocessed. False only where no macro could make it do so: it names no option, pastes no words, uses no
/// reserved name and includes nothing but the contract and standard headers.
bool may_choose_options(std::string_view source);

/// The line of a line marker, `# 12 "file" 3`, which a preprocessor writes and a source must not: it would
/// say of the text after it that it is a system header's. 0 where there is none.
int line_marker_in(std::string_view source);

/// A preprocessed source without `optimize` and `target`, as pragmas and attributes.
struct WithoutOptions {
    std::string text;                      ///< as long as before, line by line
    std::vector<model::Diagnostic> notes;  ///< what was ignored
    std::vector<model::Diagnostic> errors; ///< what is refused: `naked`
};
WithoutOptions without_options(std::string_view preprocessed);

} // namespace build
