#pragma once

#include "workspace/files.h"
#include "workspace/find.h"
#include "workspace/record.h"

namespace workspace {

/// What became of the files, relative to the workspace.
struct Completed {
    std::vector<std::filesystem::path> added;   ///< were missing
    std::vector<std::filesystem::path> renewed; ///< still as an older engine wrote them
    bool damaged = false; ///< the record of what the engine wrote could not be read, and was written anew
};

/// Makes a workspace of a folder that is missing or empty (but for `.git`), or brings the missing files of
/// one back. What is there stays as it is, except for what the engine wrote and nobody has touched since.
/// Throws model::UsageError for a folder that holds something else, and model::EnvironmentError where it
/// cannot be written or a newer engine made it.
Completed complete(const std::filesystem::path& folder, const std::vector<File>& files,
                   const std::vector<std::string>& ids);

} // namespace workspace
