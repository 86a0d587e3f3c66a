#pragma once

#include "build/cache.h"
#include "build/workshop.h"
#include "model/problem.h"

#include <optional>
#include <vector>

namespace verify {

/// The program that holds all known mistakes of a problem, as it was built with the engine. Throws
/// model::EnvironmentError.
build::CachedWorker open_mistakes(const build::Workshop& workshop, const model::Problem& problem);

/// Whether a mistake's file is newer than such a program, so that the program may hold another text of it.
bool changed_since(const build::CachedWorker& program, const model::Mistake& mistake);

/// A program that holds these mistakes, compiled in one go as submissions are checked. Nothing where one of
/// them does not compile so, or there are no sanitizers.
std::optional<build::CachedWorker> build_checked(const build::Workshop& workshop,
                                                 const model::Problem& problem,
                                                 const std::vector<const model::Mistake*>& which,
                                                 int cancel_fd);

} // namespace verify
