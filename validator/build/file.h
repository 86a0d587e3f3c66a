#pragma once

#include "system/fd.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

/// Reading and writing of *our own* files. What a compiler run has written is taken with `Scratch::take`
/// instead.
namespace build {

std::optional<std::string> read_file(const std::filesystem::path& path);

/// A file of ours that may be missing, which is as good as empty. Throws model::EnvironmentError where it is
/// there and cannot be read: a key or a verdict made without it would be wrong.
std::string read_if_there(const std::filesystem::path& path);

/// All bytes of an open regular file from its beginning, if there are at most `limit`.
std::optional<std::string> read_all(int fd, std::uint64_t limit);

/// False, with errno set, where the disk is full or the like.
bool write_all(int fd, std::string_view bytes);

/// What a file is called until it is whole.
inline constexpr std::string_view part_prefix = "new-";

/// Replaces `path` in one step: readers see the old content or the new one. Never throws: false, with errno
/// set.
bool write_atomically(const std::filesystem::path& path, std::string_view bytes, unsigned mode);

/// Size, times and place of a file in a few words, for keys: changes when the file is replaced.
std::string stamp(const std::filesystem::path& path);

} // namespace build
