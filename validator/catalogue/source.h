#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace catalogue {

/// A text file of a package, and how messages call it.
struct Source {
    std::string name;
    std::string text; ///< UTF-8, at most 1 MiB, no control characters but tabs and line ends
};

/// Throws model::ContentError: "cannot read NAME: line 7: WHAT".
[[noreturn]] void fail(const Source& source, std::size_t line, const std::string& what);

/// `file` relative to the content root (the folder above problems/), or whole when it lies elsewhere.
std::string shown(const std::filesystem::path& file, const std::filesystem::path& root);

/// Throws model::ContentError unless `file` is a regular file, or a link to one.
void require_file(const std::filesystem::path& file, const std::filesystem::path& root);

/// Throws model::ContentError unless the text is as `Source` promises.
void require_text(const Source& source);

/// Throws model::ContentError unless the file is there, readable, and as `Source` promises.
Source read_source(const std::filesystem::path& file, const std::filesystem::path& root);

/// Whether `text` has a character that would act on a terminal instead of being shown.
bool has_control_character(const std::string& text);

/// Lower-case words of letters and digits, joined by single hyphens: what ids and mistake names look like.
bool is_slug(const std::string& text);

} // namespace catalogue
