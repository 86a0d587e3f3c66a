#pragma once

#include "build/cache.h"
#include "build/variant.h"
#include "build/workshop.h"
#include "model/problem.h"

#include <map>
#include <string>
#include <vector>

namespace verify {

/// The source of a worker program that holds several implementations of a problem's contract.
struct ProgramSource {
    std::map<std::string, std::string> files; ///< by name
    std::string compiled; ///< the name of the one that is compiled; it includes the others
    build::Variant variant = build::Variant::optimised;
    std::vector<std::string> flags; ///< how it is compiled
};

/// What came of it: a program's bytes, or the compiler's words where it does not compile.
struct Made {
    bool ok = false;
    std::string program;
    std::string output;
};

/// Everything that decides what `make_program` makes.
std::string key_of(const build::Workshop& workshop, const model::Problem& problem,
                   const ProgramSource& source);

/// Compiles and links in the compiler's sandbox. Throws model::EnvironmentError, model::ContentError where
/// the program does not link, and judge::Interrupted.
Made make_program(const build::Workshop& workshop, const model::Problem& problem, const ProgramSource& source,
                  int cancel_fd);

} // namespace verify
