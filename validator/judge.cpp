#include "judge.h"

#include "build/compile.h"
#include "build/lines.h"
#include "build/nvcc.h"
#include "diagnosis/compiler.h"
#include "diagnosis/mistakes.h"
#include "emulator/locations.h"
#include "grading/device.h"
#include "grading/grade.h"
#include "grading/summary.h"
#include "supervisor/driver.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <iterator>
#include <optional>

namespace judge {
namespace {

using Clock = std::chrono::steady_clock;

/// One build of the submission, and what the driver saw of it.
struct Track {
    build::Built built;
    const build::CachedWorker* ready = nullptr; ///< in place of what was built
    std::optional<harness::DriverRun> run;      ///< nothing where it does not compile
    std::chrono::microseconds run_time{0};

    const build::CachedWorker& program() const { return ready != nullptr ? *ready : built.worker; }
};

std::vector<model::TestSpec> select_tests(const Request& request) {
    std::vector<model::TestSpec> selected;
    for (const model::TestSpec& test : request.problem.tests)
        if ((request.graded || test.visibility == model::Visibility::visible) &&
            (request.tests.empty() || std::ranges::find(request.tests, test.name) != request.tests.end()))
            selected.push_back(test);
    return selected;
}

/// The checked build is several times slower, and a trace remembers every byte; only the other one is held to
/// the limits.
model::Limits relaxed(model::Limits limits, build::Variant variant) {
    limits.wall *= 5;
    limits.cpu *= 5;
    if (variant == build::Variant::traced) limits.memory_mib *= 4;
    return limits;
}

bool is_checked(build::Variant variant) {
    return variant == build::Variant::sanitized || variant == build::Variant::traced;
}

harness::Request driver_request(const Request& request, const std::vector<model::TestSpec>& tests,
                                build::Variant variant) {
    harness::Request asked;
    asked.seed = request.seed;
    asked.implementation = request.ready.implementation;
    asked.limits = request.problem.limits;
    asked.sanitized = asked.one_worker = variant == build::Variant::sanitized;
    asked.emulated = build::is_emulated(variant);
    for (const model::TestSpec& test : tests)
        asked.tests.push_back(test.name);
    if (is_checked(variant)) {
        asked.without_large = true;
        asked.limits = relaxed(asked.limits, variant);
    } else {
        for (const model::Mistake& mistake : request.problem.mistakes)
            asked.mistakes.push_back(mistake.name);
    }
    return asked;
}

harness::DriverRun run_driver(const build::Workshop& workshop, const Request& request, const Track& track,
                              harness::Request asked) {
    const build::Layout& layout = workshop.layout();
    const model::Isolation& isolation = request.isolation.get();
    harness::DriverRun run = supervisor::run_driver({.driver = layout.drivers / request.problem.id,
                                                     .mistakes = layout.mistakes / request.problem.id,
                                                     .worker_fd = track.program().fd.get(),
                                                     .request = std::move(asked),
                                                     .isolation = isolation.level,
                                                     .cancel_fd = request.cancel_fd});
    if (run.interrupted) throw Interrupted{};
    return run;
}

Track follow(const build::Workshop& workshop, const Request& request,
             const std::vector<model::TestSpec>& tests, build::Variant variant) {
    Track track;
    if (!request.ready.implementation.empty()) {
        track.ready = is_checked(variant) ? request.ready.checked : request.ready.judged;
        track.built.ok = track.built.cached = true;
    } else {
        track.built =
            build::build_worker(workshop, request.problem, request.submission, variant, request.cancel_fd);
    }
    if (track.built.interrupted) throw Interrupted{};
    if (!track.built.ok) return track;

    request.isolation.wait();
    const auto start = Clock::now();
    track.run = run_driver(workshop, request, track, driver_request(request, tests, variant));
    track.run_time = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
    return track;
}

model::CompileResult compile_result(const build::Built& built) {
    model::CompileResult result{built.ok, built.diagnostics};
    for (model::Diagnostic& diagnostic : result.diagnostics)
        diagnostic.explanation = diagnosis::explain(diagnostic, built.defined);
    return result;
}

/// Where one worker serves all cases, one that fails there alone may suffer from what another left behind, so
/// it has to fail in a worker of its own.
void repeat_alone(const build::Workshop& workshop, const Request& request,
                  const std::vector<model::TestResult>& results, build::Variant variant, Track& checked) {
    if (!checked.run) return;
    harness::Request asked = driver_request(request, {}, variant);
    asked.tests = grading::failed_in_checked_only(results, *checked.run);
    if (!asked.one_worker || asked.tests.empty()) return;
    asked.one_worker = false;
    harness::DriverRun again = run_driver(workshop, request, checked, std::move(asked));
    std::ranges::move(again.events, std::back_inserter(checked.run->events)); // the last word counts
    checked.run->complete = checked.run->complete && again.complete;
    checked.run->trouble += again.trouble;
}

model::SanitizerResult take_in(const Request& request, const Track& checked, build::Variant variant,
                               std::vector<model::TestResult>& results) {
    model::SanitizerResult sanitizer;
    if (!checked.run) {
        sanitizer.reason = "the checked build failed, though the optimised one did not";
        return sanitizer;
    }
    sanitizer.ran = checked.run->complete;
    if (!sanitizer.ran) sanitizer.reason = checked.run->trouble;
    if (!build::is_emulated(variant))
        sanitizer.findings = grading::add_sanitized(request.problem, results, *checked.run);
    return sanitizer;
}

/// What passes on the emulator is CUDA only if NVIDIA's compiler takes it, where there is one to ask.
void take_in(build::NvccOpinion opinion, model::Judgement& judgement) {
    judgement.nvcc_compiled = opinion.ran && opinion.ok;
    if (!opinion.ran || opinion.ok || !judgement.compile.ok) return;
    judgement.compile.ok = false;
    judgement.compile.diagnostics = std::move(opinion.diagnostics);
}

/// The traces of a track, with the lines of its program.
grading::Traces traces_of(const build::Workshop& workshop, const Request& request, const Track& track) {
    grading::Traces traces = grading::read_traces(*track.run);
    std::vector<std::string> arguments =
        emulator::addr2line_arguments(grading::joined(traces), track.program().path.string());
    if (arguments.empty()) return traces;
    arguments.erase(arguments.begin()); // the program's name
    const std::string lines =
        build::name_lines(workshop, track.program(), std::move(arguments), request.cancel_fd);
    for (auto& [test, trace] : traces)
        emulator::apply_locations(trace, lines);
    return traces;
}

/// What kernels did, where there are some.
void take_in_kernels(const build::Workshop& workshop, const Request& request, const Track& judged,
                     const Track& checked, model::Judgement& judgement) {
    if (!checked.run) return;
    const grading::Traces traces = traces_of(workshop, request, checked);
    judgement.sanitizer.findings = grading::add_traced(request.problem, judgement.tests, *checked.run, traces,
                                                       grading::read_traces(*judged.run));
    judgement.traffic = grading::traffic_table(request.problem, traces);
}

} // namespace

model::Judgement judge(const build::Workshop& workshop, const Request& request) {
    const auto start = Clock::now();
    const std::vector<model::TestSpec> tests = select_tests(request);
    const build::Variant first = build::judged_variant(request.problem.language);
    const build::Variant second = build::checked_variant(request.problem.language);
    // What a kernel does wrong shows in its trace, so a practice run has one too.
    const bool ready = !request.ready.implementation.empty();
    const bool checked_too =
        ready ? request.ready.checked != nullptr
              : build::is_emulated(second) || (request.graded && workshop.toolchain().sanitizers);

    std::future<Track> other;
    if (checked_too)
        other = std::async(std::launch::async, [&] { return follow(workshop, request, tests, second); });
    std::future<build::NvccOpinion> opinion;
    if (!ready && request.graded && build::is_emulated(first))
        opinion = std::async(std::launch::async, build::ask_nvcc, std::cref(workshop),
                             std::cref(request.problem), std::cref(request.submission), request.cancel_fd);
    const Track optimised = follow(workshop, request, tests, first);
    std::optional<Track> checked = checked_too ? std::optional(other.get()) : std::nullopt;

    model::Judgement judgement = grading::blank(request.problem, request.submission, request.graded);
    judgement.seed = request.seed;
    judgement.isolation = request.isolation.get();
    judgement.toolchain = build::describe(workshop.toolchain(), first);
    if (build::is_emulated(first)) judgement.device = "emulated";
    judgement.compile = compile_result(optimised.built);
    if (opinion.valid()) take_in(opinion.get(), judgement);
    if (optimised.run && judgement.compile.ok) {
        judgement.tests = grading::grade(request.problem, tests, *optimised.run);
        if (checked) {
            repeat_alone(workshop, request, judgement.tests, second, *checked);
            judgement.sanitizer = take_in(request, *checked, second, judgement.tests);
        } else if (request.graded && !ready) {
            judgement.sanitizer.reason = "the compiler has no sanitizers here";
        }
        if (checked && build::is_emulated(second))
            take_in_kernels(workshop, request, optimised, *checked, judgement);
        judgement.diagnosis = diagnosis::name_mistakes(request.problem, judgement.tests,
                                                       optimised.run->events, judgement.sanitizer.findings);
    }
    judgement.timing = {optimised.built.compile, optimised.built.link, optimised.run_time,
                        std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start),
                        optimised.built.cached};
    grading::conclude(request.problem, judgement);
    return judgement;
}

std::shared_future<model::Isolation> known(model::Isolation isolation) {
    std::promise<model::Isolation> promise;
    promise.set_value(std::move(isolation));
    return promise.get_future().share();
}

} // namespace judge
