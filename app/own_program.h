#pragma once

#include "build/compile.h"
#include "build/workshop.h"
#include "model/problem.h"
#include "model/submission.h"
#include "system/process.h"

#include <chrono>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// Programs of the learner's own, with a `main` that calls an implementation of a problem's contract.
namespace app {

/// The line with which such a program includes the contract, wherever in the workspace it lies.
std::string contract_line(const model::Problem& problem);

inline constexpr std::chrono::seconds usual_wall{10};

/// What a program gets and tells while it runs.
struct Aside {
    std::string input; ///< on its standard input
    sys::Listener listener;
    std::chrono::seconds wall = usual_wall; ///< of CPU time, or of doing nothing but wait
};

struct OwnRun {
    build::Built built;
    std::optional<sys::RunOutcome> outcome; ///< nothing where it does not compile

    bool ended_well() const { return outcome && outcome->ok(); }
};

/// The files of a program, of which one has the `main`, and the headers that they bring along.
struct OwnProgram {
    std::vector<model::SourceFile> files;
    std::vector<model::SourceFile> headers = {};
};

/// Compiles the program with the implementation, and runs it as a worker is run: as confined, and with the
/// problem's limits. Messages name files as they are called in the two. Throws model::EnvironmentError,
/// model::UsageError if both have a file of the same name, and judge::Interrupted.
OwnRun run_own_program(const build::Workshop& workshop, const model::Problem& problem,
                       const model::Submission& implementation, const OwnProgram& program, int cancel_fd,
                       const Aside& aside = {});

/// What was seen of its kernels.
struct Observed {
    std::vector<std::string> findings; ///< each with its place and what to do, in lines
    std::string missing;               ///< why nothing can be said, in one sentence; empty if it can
};

/// Compiles the same program so that each access of a kernel is observed, waits for `ready` to say that it is
/// worth running, and runs it without showing what it prints.
Observed observe_own_program(const build::Workshop& workshop, const model::Problem& problem,
                             const model::Submission& implementation, const OwnProgram& program,
                             std::future<bool> ready, int cancel_fd, std::chrono::seconds wall);

/// The errors of a program that does not compile, a line each with its plain sentence below. `shown` has the
/// paths by which the learner knows the files.
std::string errors_of(const build::Built& built, const std::map<std::string, std::string>& shown);

/// How it ended, in a sentence; nothing where it ended well.
std::string ending(const sys::RunOutcome& outcome, const model::Limits& limits,
                   std::chrono::seconds wall = usual_wall);

} // namespace app
