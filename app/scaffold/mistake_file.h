#pragma once

#include "catalogue/mistakes.h"

#include <filesystem>
#include <string>

namespace scaffold {

/// What the header of a stored mistake says, even if nothing else of its file can be read; else what a new
/// one's says until its author has filled it in.
catalogue::MistakeHeader stored_header(const model::Problem& problem, const std::string& name);

/// A mistake as its author edits it: the header in comments, then the program.
std::string editable(const catalogue::MistakeHeader& header, const std::string& program);

/// What an author has written: `text` with such a header, or without one, when `header` is its header. Throws
/// model::ContentError for a header that is not whole, with the line in `shown_as`.
struct Draft {
    catalogue::MistakeHeader header;
    std::string program;
};
Draft read_draft(const std::string& text, const std::string& shown_as,
                 const catalogue::MistakeHeader& header);

/// Stores a draft as a file of the problem's mistakes/, in the place of one that this name has, and says
/// where. Throws model::UsageError for what is no mistake, and where the folder leads out of the package;
/// model::EnvironmentError where it cannot be written.
struct Stored {
    std::filesystem::path file;
    std::string base; ///< or empty for a whole file
};
Stored store_mistake(const model::Problem& problem, const std::string& name, const Draft& draft);

} // namespace scaffold
