#pragma once

#include "catalogue/content.h"

#include <string>

namespace collections {

/// A digest of all that a collection consists of: what lies in problems/ and reference/, and the headers of
/// exercises/, where a learner may have edited the rest. Hidden files do not count.
std::string hash_of(const catalogue::Content& content);

} // namespace collections
