#pragma once

#include "store/kind.h"

namespace gradebook {

/// A class's gradebook: docs/gradebook.md describes its tables.
const store::Kind& gradebook_kind();

} // namespace gradebook
