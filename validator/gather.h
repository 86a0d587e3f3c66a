#pragma once

#include "build/variant.h"
#include "build/workshop.h"
#include "grading/evidence.h"
#include "judge.h"
#include "model/launcher.h"

#include <optional>
#include <string>
#include <vector>

/// Each build and run of a judgement, and the evidence that it yields. All throw Interrupted when the request
/// is cancelled.
namespace judge {

/// The tests that the request wants to be run.
std::vector<model::TestSpec> select_tests(const Request& request);

/// A program made from the submission, with what was seen of it.
struct Program {
    build::CachedWorker built;
    const build::CachedWorker* ready = nullptr; ///< in place of what was built
    grading::ProgramEvidence seen;
    bool named = false; ///< the run compared failed cases with the known mistakes

    const build::CachedWorker& worker() const { return ready != nullptr ? *ready : built; }
};

/// Builds the submission as `variant` says, unless it is ready, and runs the tests against it.
Program gather(const build::Workshop& workshop, const Request& request,
               const std::vector<model::TestSpec>& tests, const build::VariantTraits& variant);

/// Runs tests of a program once more, each in a worker of its own.
events::DriverRun run_alone(const build::Workshop& workshop, const Request& request,
                            const build::VariantTraits& variant, const Program& program,
                            std::vector<std::string> tests);

/// Runs tests of the program for a GPU with workers that `launcher` starts: one for all, or one for each.
events::DriverRun run_launched(const build::Workshop& workshop, const Request& request,
                               const Program& program, std::vector<std::string> tests,
                               const model::Launcher& launcher, bool one_worker);

/// Runs the tests that failed once more, to compare them with the known mistakes, whose program is waited
/// for; nothing where the first run did that, or nothing could be recognised.
std::optional<events::DriverRun> run_for_naming(const build::Workshop& workshop, const Request& request,
                                                const build::VariantTraits& variant, const Program& program);

/// What NVIDIA's compiler says of the submission; nothing where it did not run.
std::optional<model::CompileResult> ask_nvcc(const build::Workshop& workshop, const Request& request);

} // namespace judge
