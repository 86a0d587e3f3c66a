#pragma once

#include "build/compile.h"
#include "build/workshop.h"
#include "model/problem.h"
#include "model/submission.h"
#include "system/process.h"

#include <map>
#include <optional>
#include <string>

/// Programs of the learner's own, with a `main` that calls an implementation of a problem's contract.
namespace app {

/// The line with which such a program includes the contract, wherever in the workspace it lies.
std::string contract_line(const model::Problem& problem);

/// What a program gets and tells while it runs.
struct Aside {
    std::string input; ///< on its standard input
    sys::Listener listener;
};

struct OwnRun {
    build::Built built;
    std::optional<sys::RunOutcome> outcome; ///< nothing where it does not compile

    bool ended_well() const { return outcome && outcome->ok(); }
};

/// Compiles `main` with the implementation, and runs it as a worker is run: as confined, and with the
/// problem's limits. Messages name files as they are called in the two. Throws model::EnvironmentError,
/// model::UsageError where both have a file of the same name, and judge::Interrupted.
OwnRun run_own_program(const build::Workshop& workshop, const model::Problem& problem,
                       model::Submission implementation, const model::SourceFile& main, int cancel_fd,
                       const Aside& aside = {});

/// The errors of a program that does not compile, a line each with its plain sentence below. `shown` has the
/// paths by which the learner knows the files.
std::string errors_of(const build::Built& built, const std::map<std::string, std::string>& shown);

/// How it ended, in a sentence; nothing where it ended well.
std::string ending(const sys::RunOutcome& outcome, const model::Limits& limits);

} // namespace app
