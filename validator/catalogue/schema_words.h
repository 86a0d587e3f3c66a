#pragma once

#include <string>

#include "catalogue/document.h"

namespace catalogue {

/// Says what a schema demanded at `where` in `document`, and what is there: "must be positive (got -5)".
/// `complaint` is the validator's own sentence, which tells the keyword that failed.
std::string in_words(const std::string& complaint, const Json& schema, const Json& document,
                     const Pointer& where);

} // namespace catalogue
