#include "collections/unused.h"

#include <algorithm>

namespace collections {
namespace {

namespace fs = std::filesystem;

/// Where a submission begins that lies at `from`.
fs::path submission_root(const fs::path& from) {
    std::error_code ignored;
    fs::path whole = fs::weakly_canonical(from, ignored);
    for (fs::path above = whole; above.has_relative_path(); above = above.parent_path())
        if (above.filename() == "exercises") return above.parent_path();
    return whole;
}

} // namespace

std::vector<fs::path> unused_content(const Collections& used, const fs::path& workspace,
                                     const fs::path& from) {
    std::vector<fs::path> folders;
    for (const fs::path& folder : {workspace, from.empty() ? from : submission_root(from)}) {
        std::error_code ignored;
        if (folder.empty() || used.have(folder) || !fs::is_directory(folder / "problems", ignored)) continue;
        if (std::ranges::find(folders, folder / "problems") == folders.end())
            folders.push_back(folder / "problems");
    }
    return folders;
}

} // namespace collections
