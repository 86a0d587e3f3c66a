#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace verify {

/// The functions that a source defines at namespace scope, each name once.
std::vector<std::string> defined_functions(const std::string& source);

/// The functions at namespace scope that behave as before when the source changes at `offset` of file `file`:
/// those that neither contain the place nor mention, directly or through others, the function that does. By
/// name alone, so an overload counts as touched with its namesakes. None where the place lies in no such
/// function.
std::vector<std::string> untouched(const std::vector<std::string>& sources, std::size_t file,
                                   std::size_t offset);

} // namespace verify
