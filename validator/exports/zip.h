#pragma once

#include <string>
#include <vector>

namespace exports {

struct ZipEntry {
    std::string path; ///< relative, with /
    std::string text;
    bool executable = false;
};

/// A zip archive of these files. The same files give the same bytes, wherever and whenever it is made: they
/// are sorted by path, and have the earliest time that the format knows. Throws model::EnvironmentError where
/// the library refuses.
std::string zip(std::vector<ZipEntry> entries);

} // namespace exports
