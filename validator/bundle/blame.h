#pragma once

#include <map>
#include <set>
#include <string>

namespace bundle {

/// The owners of the files that a compiler's errors are about, and an empty name where that cannot be told.
/// `owners` gives the owner of each file; `shared` is the one whose code all others share. Where an error
/// lies in a header, the lines before it name the places that led there, and the shared code may come after
/// an owner's on that way: then the error is the owner's.
std::set<std::string> blamed(const std::string& output, const std::map<std::string, std::string>& owners,
                             const std::string& shared);

} // namespace bundle
