#pragma once

#include "isolation/worker.h"

namespace subject {

/// A driver makes one before anything else, while it has one thread only.
using isolation::Workplace;

} // namespace subject
