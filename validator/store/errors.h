#pragma once

#include "model/errors.h"

namespace store {

/// Nothing can be saved here (no permission, disk full). Judging can go on; say so once.
struct Unwritable : model::EnvironmentError {
    using EnvironmentError::EnvironmentError;
};

/// Another program holds the file, and did not let go of it in the seconds that were waited.
struct Held : model::EnvironmentError {
    using EnvironmentError::EnvironmentError;
};

} // namespace store
