#pragma once

#include "system/fd.h"

#include <filesystem>
#include <string_view>

namespace build {

/// How the names of lock files end.
inline constexpr std::string_view lock_suffix = ".lock";

/// An exclusive lock on `file`, which is made where it is missing; held until the descriptor is closed.
/// Nothing where the file cannot be made, or where `cancel_fd` became readable while another process had the
/// lock.
sys::Fd lock(const std::filesystem::path& file, int cancel_fd);

} // namespace build
