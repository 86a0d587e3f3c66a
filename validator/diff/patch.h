#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace diff {

/// One line of a hunk: kept (' '), taken away ('-') or put in ('+').
struct Edit {
    char sign = ' ';
    std::string text;     ///< with its "\n", unless the file ends without one
    std::size_t line = 0; ///< in the file that holds the diff
};

/// Edits of lines that follow each other.
struct Hunk {
    std::size_t before = 0; ///< lines of the base before the hunk
    std::vector<Edit> edits;
};

/// A unified diff of one file: what it begins with, and how it changes.
struct Patch {
    std::string file; ///< that holds the diff, for messages
    std::size_t line = 0;
    std::string base;    ///< the name after "---": relative, without ".."
    std::string changed; ///< the name after "+++": likewise
    std::vector<Hunk> hunks;
};

/// Reads `text`, which begins in line `line` of `file`. Throws model::ContentError with the line for anything
/// that is not a unified diff of one text file: wrong counts, line ends of another system, names that are
/// absolute or lead upwards, words before, between or after the hunks.
Patch parse(std::string_view text, const std::string& file, std::size_t line = 1);

/// What the patch makes of its base. Each hunk applies where it says, or, where its lines do not stand there,
/// at the only other place where they do to the letter: a change of the base elsewhere does no harm. Throws
/// model::ContentError with the line of the diff and of the base that differ, or with the places where there
/// are several.
std::string apply(const Patch& patch, std::string_view base);

/// Where the diff begins in a text with something before it: its first line with "--- ". npos: there is none.
std::size_t find_diff(std::string_view text);

} // namespace diff
