#pragma once

#include "system/fd.h"

#include <filesystem>
#include <sys/types.h>

namespace sys {

/// A folder by its real path: links on the way to it are followed. Empty, with errno set, where it is none.
Fd open_folder(const std::filesystem::path& folder);

/// Opens `name` below an open folder. What lies there may be somebody else's, so no link is followed, neither
/// on the way nor at the end, and nothing above the folder is reached: errno is ELOOP or EXDEV then. It never
/// waits for a pipe.
Fd open_beneath(const Fd& folder, const std::filesystem::path& name, int flags, mode_t mode = 0);

} // namespace sys
