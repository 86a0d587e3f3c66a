#pragma once

#include "build/cache.h"

namespace build {

/// Whether a program can start threads: it imports a function that does. What finds such a function by other
/// means is not noticed.
bool starts_threads(const CachedWorker& program);

} // namespace build
