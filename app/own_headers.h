#pragma once

#include "model/submission.h"

#include <filesystem>
#include <vector>

namespace app {

/// A file of a program, or a header, with where it is.
struct PlacedSource {
    model::SourceFile source; ///< a header is named by the path that it is included by
    std::filesystem::path file;
};

/// The headers that `sources` include, and those that these include, as far as they are next to a source or
/// below one of `folders`; what is nowhere there is left to the compiler. `provided`: folders whose headers
/// are the engine's, which nothing replaces, but for the helpers of NVIDIA's samples. No link below a folder
/// is followed. Throws model::UsageError for a header that cannot be read, and for more than a program needs.
std::vector<PlacedSource> read_headers(const std::vector<PlacedSource>& sources,
                                       const std::vector<std::filesystem::path>& folders,
                                       const std::vector<std::filesystem::path>& provided);

} // namespace app
