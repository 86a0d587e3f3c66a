#pragma once

#include "model/judgement.h"
#include "model/submission.h"

#include <string_view>
#include <vector>

/// Messages of compilers and linkers as values. They were made from a learner's text and may imitate
/// anything, so they are shown and never believed.
namespace build {

/// Reads what g++ or clang++ wrote without carets. A message inside a library header is told at the learner's
/// line that led there. Paths are cut to file names; at most 50 messages of 1,000 bytes.
std::vector<model::Diagnostic> parse_compiler_output(std::string_view output,
                                                     const model::Submission& submission);

/// Reads what mold, lld or GNU ld wrote, in one wording: "undefined reference to 'f(int)'", "multiple
/// definition of 'f'".
std::vector<model::Diagnostic> parse_linker_output(std::string_view output,
                                                   const model::Submission& submission);

/// `/usr/include/c++/12/vector:61` becomes `vector:61`.
std::string without_paths(std::string_view text);

} // namespace build
