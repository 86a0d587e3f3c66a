#pragma once

#include <filesystem>
#include <vector>

#include "catalogue/source.h"
#include "model/problem.h"

namespace catalogue {

/// The comment with which `mistakes/<name>.cpp` begins: mistake, says, hint, symptom, fails, each once, as
/// `// key: value`; a value goes on in lines that begin with `//   `. The first other line ends it.
/// `fails` must name tests of the problem. Throws model::ContentError with the line.
model::Mistake read_mistake(const Source&, const std::filesystem::path& file,
                            const std::vector<model::TestSpec>& tests);

/// Throws model::ContentError unless the file begins with `// accepted: ` and a word on how it differs.
void check_accepted(const Source&);

} // namespace catalogue
