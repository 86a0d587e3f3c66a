#pragma once

#include "collections/find.h"

#include <filesystem>
#include <vector>

namespace collections {

/// Folders called problems/ in what a learner hands in: in the workspace, and in `from` and the folder above
/// the exercises that it lies in. Nothing of them is ever read. Either path may be empty.
std::vector<std::filesystem::path> unused_content(const Collections& used,
                                                  const std::filesystem::path& workspace,
                                                  const std::filesystem::path& from);

} // namespace collections
