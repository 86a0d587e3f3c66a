#pragma once

#include "build/cache.h"
#include "build/workshop.h"
#include "model/problem.h"

#include <optional>
#include <vector>

namespace verify {

/// A program that holds these mistakes, compiled in one go as submissions are checked. Nothing where one of
/// them does not compile so, or there are no sanitizers.
std::optional<build::CachedWorker> build_checked(const build::Workshop& workshop,
                                                 const model::Problem& problem,
                                                 const std::vector<const model::Mistake*>& which,
                                                 int cancel_fd);

} // namespace verify
