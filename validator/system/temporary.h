#pragma once

#include "system/fd.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

/// Things on disk that are to go away with the process that made them, even where it is killed. Each has a
/// random name, which nothing else has, and a lock as proof that its maker is alive: the kernel lets go of it
/// however the process ends, and whatever process namespace it was in. What nobody holds any more is swept by
/// the next start.
namespace sys {

/// Takes the lock of what is open as `fd` and lies at `path`. False where it belongs to another process, or
/// where a sweep has just taken the thing away. Where the file system knows no locks nothing is ever swept,
/// so that is no failure.
bool hold(int fd, const std::filesystem::path& path);

/// A new file or folder `FOLDER/PREFIX` with six random characters, open and held. Empty, with errno set,
/// where none can be made.
struct Temporary {
    std::filesystem::path path;
    Fd fd;
};
std::optional<Temporary> make_temporary_file(const std::filesystem::path& folder, std::string_view prefix);
std::optional<Temporary> make_temporary_folder(const std::filesystem::path& folder, std::string_view prefix);

/// `prefix` and sixteen random digits.
std::string random_name(std::string_view prefix);

/// Hands to `remove` what lies in `folder`, belongs to this user and is held by nobody, if `temporary` knows
/// its name. One listing of the folder, nothing below it.
void sweep(const std::filesystem::path& folder, const std::function<bool(std::string_view name)>& temporary,
           const std::function<void(const std::filesystem::path&)>& remove);

} // namespace sys
