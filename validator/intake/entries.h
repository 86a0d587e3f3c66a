#pragma once

#include "coursework/deadline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What a student handed in, read from wherever it lies. All of it is hostile: no link is followed, nothing
/// is unpacked to disk, and everything has an upper bound.
namespace intake {

inline constexpr std::size_t max_files = 5'000;
inline constexpr std::uint64_t max_file_bytes = 4 << 20;
inline constexpr std::uint64_t max_total_bytes = 64 << 20; ///< unpacked, what is not kept included

/// A file of a submission.
struct Entry {
    std::string path; ///< relative, with /, without . and ..
    std::string text; ///< of sources and JSON files; of others nothing is kept
    bool link = false;
};

struct Entries {
    std::vector<Entry> files;
    std::optional<coursework::Instant> newest; ///< last change of what was read, as the file system has it
    std::string trouble; ///< why the whole cannot be taken, as a sentence without a period; empty: it can
};

/// `newest` becomes at least this.
void note_change(Entries& entries, coursework::Instant time);

/// Whether the text of such a file is kept: sources, headers and JSON.
bool is_kept(const std::string& path);

/// The path without "./" and doubled slashes; nothing for one that is empty, absolute, leads upwards, or has
/// characters that cannot be shown.
std::optional<std::string> plain_path(const std::string& path);

/// Whether a part of the path is hidden, or put there by an operating system (__MACOSX).
bool is_hidden(const std::string& path);

} // namespace intake
