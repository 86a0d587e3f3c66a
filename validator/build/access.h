#pragma once

#include "build/plan.h"
#include "build/workshop.h"
#include "isolation/compiler.h"
#include "model/problem.h"

namespace build {

/// What the compiler of a submission may read, run and write.
isolation::CompilerAccess access_for(const Workshop& workshop, const model::Problem& problem, Variant variant,
                                     Main main, const std::filesystem::path& scratch,
                                     const std::filesystem::path& prelude);

/// What nvcc may where it only reads a submission and says what it thinks of it.
isolation::CompilerAccess access_of_nvcc(const Workshop& workshop, const model::Problem& problem,
                                         const std::filesystem::path& scratch);

} // namespace build
