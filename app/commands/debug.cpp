#include "app/commands.h"
#include "app/debugger.h"
#include "app/interrupts.h"
#include "app/judging.h"
#include "app/observation.h"
#include "app/own_program.h"
#include "app/submission.h"
#include "app/voice.h"
#include "build/cache.h"
#include "build/compile.h"
#include "failing_call.h"
#include "model/errors.h"
#include "terminal/progress.h"
#include "text/clean.h"
#include "text/nearest.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <iostream>
#include <sys/stat.h>
#include <unistd.h>

namespace app {
namespace {

namespace fs = std::filesystem;

void require_visible(const Context& context, const model::Problem& problem, const std::string& name) {
    const auto found = std::ranges::find(problem.tests, name, &model::TestSpec::name);
    if (found != problem.tests.end()) {
        if (found->visibility == model::Visibility::visible) return;
        throw model::UsageError(name + " is a hidden test, and its inputs are never shown; " +
                                context.call()("test " + problem.id) + " runs the visible ones");
    }
    std::vector<std::string> visible;
    for (const model::TestSpec& test : problem.tests)
        if (test.visibility == model::Visibility::visible) visible.push_back(test.name);
    const auto near = text::nearest(name, visible);
    throw model::UsageError(problem.id + " has no test called '" + name + "'" +
                            (near ? "; did you mean '" + *near + "'?"
                                  : "; " + context.call()("test " + problem.id) + " shows those that fail"));
}

/// A debugger runs code of a file with a terminal, and at length.
void require_own(const Context& context, const std::vector<SourcePlace>& places) {
    for (const SourcePlace& place : places) {
        const fs::path file = place.folder / place.name;
        struct stat status {};
        if (stat(file.c_str(), &status) == 0 && status.st_uid != geteuid())
            throw model::UsageError(context.shown(file) +
                                    " belongs to another user; only your own code is debugged: make a copy "
                                    "of it, once you have read it");
    }
}

/// What gdb starts with, in its folder.
void lay_out(const build::Scratch& scratch, const build::Built& built, const model::Submission& submission,
             const std::string& script) {
    scratch.write(debugged_program, build::program_bytes(built.worker));
    fs::permissions(scratch.path() / debugged_program, fs::perms::owner_all);
    for (const model::SourceFile& file : submission.files)
        scratch.write(file.name, file.text);
    scratch.write(debugger_script_name, script);
}

sys::Fd recording_in(const build::Scratch& scratch) {
    const fs::path file = scratch.path() / recorded_calls;
    sys::Fd fd(open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!fd) throw model::EnvironmentError("cannot write " + file.string() + ": " + std::strerror(errno));
    return fd;
}

} // namespace

ExitCode run_debug(Context& context) {
    const model::Problem problem = context.problem();
    const std::string& test = context.options().test;
    require_visible(context, problem, test);
    const std::vector<SourcePlace> places = submission_places(context, problem);
    require_own(context, places);
    const fs::path debugger = find_debugger();
    auto read = read_submission(context, problem, places);
    if (const auto* unreadable = std::get_if<Unreadable>(&read))
        throw model::UsageError("cannot debug this: " + unreadable->why);
    const auto& submission = std::get<model::Submission>(read);

    const Interrupts interrupts;
    terminal::Progress progress(std::cerr, context.err().is_terminal, context.err().columns);
    const build::Workshop workshop(context.building_layout(), voice_of(context, progress));
    const kit::Kits kits(workshop);
    const kit::Kit kit(kits, problem, interrupts.fd());
    const build::Built built =
        build::build_worker(workshop, problem, kit.table(), submission,
                            build::debugged_variant(problem.language), interrupts.fd());
    if (built.interrupted) throw judge::Interrupted{};
    if (!built.ok) {
        progress.clear();
        std::cout << "Your code does not compile.\n\n"
                  << context.fitted(text::printable(errors_of(built, {})));
        return ExitCode::not_accepted;
    }

    const build::Scratch scratch(workshop.cache().folder());
    const sys::Fd recording = recording_in(scratch);
    const std::uint64_t seed = context.options().seed.value_or(fresh_seed());
    const model::Isolation isolation =
        observe_or_remember(context.layout().canary, build::default_cache_folder() / "isolation.json");
    const auto failing = judge::find_failing_call(workshop, {.problem = problem,
                                                             .kit = kit,
                                                             .submission = submission,
                                                             .seed = seed,
                                                             .isolation = judge::known(isolation),
                                                             .cancel_fd = interrupts.fd(),
                                                             .tests = {test},
                                                             .recording_fd = recording.get()});
    progress.clear();
    if (!failing) {
        std::cout << context.fitted(
            fmt::format("{} passes with seed {}, so there is no failing call. If another run failed, its "
                        "report has the seed: {}\n",
                        test, seed, context.call()("debug " + problem.id + " --test NAME --seed NUMBER")));
        return ExitCode::accepted;
    }
    std::cout << context.fitted(
                     text::printable(fmt::format("{} (seed {}): {}\n\n", test, seed, failing->says)))
              << std::flush;
    if (failing->number == 0 && !failing->before_any)
        throw model::UsageError("the inputs of this call are too large to be kept for a debugger; is there a "
                                "smaller test that fails?");
    const bool asks = context.out().is_terminal && isatty(STDIN_FILENO) == 1;
    lay_out(scratch, built, submission,
            debugger_script(problem, failing->number, asks, context.out().colour));
    const std::string ending = run_debugger(workshop, scratch, debugger, asks, interrupts.fd());
    if (!ending.empty()) std::cerr << context.fitted(ending + "\n");
    return ExitCode::accepted;
}

} // namespace app
