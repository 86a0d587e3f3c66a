#pragma once

#include "system/fd.h"

#include <filesystem>
#include <string_view>

/// Writing below a folder whose content may come from anybody, as `open_beneath` reads it: no link is
/// followed, neither on the way nor at the end, and nothing above the folder is reached.
namespace sys {

/// All bytes to an open file. False, with errno set, e.g. for a full disk.
bool write_all(int fd, std::string_view bytes);

/// The folder `name` below an open one, made with all folders on the way to it that are missing. Empty, with
/// errno set, as for `open_beneath`.
Fd make_folder_beneath(const Fd& folder, const std::filesystem::path& name);

enum class Present {
    replace, ///< in one step: readers see the old content or the new one
    keep,    ///< errno is EEXIST then
};

/// Writes the file `name`, and makes the folders on the way to it. A link that has the name is left as it is:
/// errno is ELOOP then. False, with errno set, if anything else fails.
bool write_beneath(const Fd& folder, const std::filesystem::path& name, std::string_view bytes,
                   Present present = Present::replace);

/// Makes the link `name` to `target` in one step, and the folders on the way to it. A link or a file that has
/// the name is replaced. False, with errno set, if anything fails.
bool link_beneath(const Fd& folder, const std::filesystem::path& name, const std::filesystem::path& target);

} // namespace sys
