#pragma once

#include "catalogue/content.h"

#include <string>

namespace collections {

/// A digest of all that a collection consists of: what lies in problems/ and reference/, and the headers of
/// exercises/, where a learner may have edited the rest. Hidden files do not count.
std::string hash_of(const catalogue::Content& content);

/// The same for what one problem of it consists of: the version of the problem that a report was made with.
std::string version_of(const catalogue::Content& content, const std::string& id);

} // namespace collections
