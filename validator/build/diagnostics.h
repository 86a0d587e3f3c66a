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
/// Notes are kept where they point to another line than the error's, three at most.
std::vector<model::Diagnostic> parse_compiler_output(std::string_view output,
                                                     const model::Submission& submission);

/// Reads what mold, lld or GNU ld wrote, in one wording: "undefined reference to 'f(int)'" where the judge
/// calls it, "undefined reference to 'f(int)' from lookup.cpp" where only the submission does, "multiple
/// definition of 'f'".
std::vector<model::Diagnostic> parse_linker_output(std::string_view output,
                                                   const model::Submission& submission);

/// At most 1,000 bytes of it, never cut inside a UTF-8 sequence.
std::string bounded_message(std::string text);

/// `/usr/include/c++/12/vector:61` becomes `vector:61`.
std::string without_paths(std::string_view text);

} // namespace build
