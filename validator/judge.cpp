#include "judge.h"

#include "build/compile.h"
#include "diagnosis/compiler.h"
#include "diagnosis/mistakes.h"
#include "grading/grade.h"
#include "grading/summary.h"
#include "supervisor/driver.h"

#include <chrono>
#include <future>
#include <optional>

namespace judge {
namespace {

using Clock = std::chrono::steady_clock;

/// One build of the submission, and what the driver saw of it.
struct Track {
    build::Built built;
    std::optional<harness::DriverRun> run; ///< nothing where it does not compile
    std::chrono::microseconds run_time{0};
};

std::vector<model::TestSpec> select_tests(const Request& request) {
    std::vector<model::TestSpec> selected;
    for (const model::TestSpec& test : request.problem.tests)
        if (request.graded || test.visibility == model::Visibility::visible) selected.push_back(test);
    return selected;
}

/// The checked build is several times slower; only the optimised one is held to the limits.
model::Limits relaxed(model::Limits limits) {
    limits.wall *= 5;
    limits.cpu *= 5;
    return limits;
}

harness::Request driver_request(const Request& request, const std::vector<model::TestSpec>& tests,
                                build::Variant variant) {
    harness::Request asked;
    asked.seed = request.seed;
    asked.limits = request.problem.limits;
    for (const model::TestSpec& test : tests)
        asked.tests.push_back(test.name);
    if (variant == build::Variant::sanitized) {
        asked.sanitized = true;
        asked.limits = relaxed(asked.limits);
    } else {
        for (const model::Mistake& mistake : request.problem.mistakes)
            asked.mistakes.push_back(mistake.name);
    }
    return asked;
}

Track follow(const build::Workshop& workshop, const Request& request,
             const std::vector<model::TestSpec>& tests, build::Variant variant) {
    Track track;
    track.built =
        build::build_worker(workshop, request.problem, request.submission, variant, request.cancel_fd);
    if (track.built.interrupted) throw Interrupted{};
    if (!track.built.ok) return track;

    const build::Layout& layout = workshop.layout();
    const model::Isolation& isolation = request.isolation.get();
    const auto start = Clock::now();
    track.run = supervisor::run_driver({.driver = layout.drivers / request.problem.id,
                                        .mistakes = layout.mistakes / request.problem.id,
                                        .worker_fd = track.built.worker.fd.get(),
                                        .request = driver_request(request, tests, variant),
                                        .isolation = isolation.level,
                                        .cancel_fd = request.cancel_fd});
    if (track.run->interrupted) throw Interrupted{};
    track.run_time = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
    return track;
}

model::CompileResult compile_result(const build::Built& built) {
    model::CompileResult result{built.ok, built.diagnostics};
    for (model::Diagnostic& diagnostic : result.diagnostics)
        diagnostic.explanation = diagnosis::explain(diagnostic, built.defined);
    return result;
}

model::SanitizerResult take_in(const Request& request, const Track& checked,
                               std::vector<model::TestResult>& results) {
    model::SanitizerResult sanitizer;
    if (!checked.run) {
        sanitizer.reason = "the checked build failed, though the optimised one did not";
        return sanitizer;
    }
    sanitizer.ran = checked.run->complete;
    if (!sanitizer.ran) sanitizer.reason = checked.run->trouble;
    sanitizer.findings = grading::add_sanitized(request.problem, results, *checked.run);
    return sanitizer;
}

} // namespace

model::Judgement judge(const build::Workshop& workshop, const Request& request) {
    const auto start = Clock::now();
    const std::vector<model::TestSpec> tests = select_tests(request);
    const bool checked_too = request.graded && workshop.toolchain().sanitizers;

    std::future<Track> other;
    if (checked_too)
        other = std::async(std::launch::async,
                           [&] { return follow(workshop, request, tests, build::Variant::sanitized); });
    const Track optimised = follow(workshop, request, tests, build::Variant::optimised);
    const std::optional<Track> checked = checked_too ? std::optional(other.get()) : std::nullopt;

    model::Judgement judgement = grading::blank(request.problem, request.submission, request.graded);
    judgement.seed = request.seed;
    judgement.isolation = request.isolation.get();
    judgement.toolchain = build::describe(workshop.toolchain());
    judgement.compile = compile_result(optimised.built);
    if (optimised.run) {
        judgement.tests = grading::grade(request.problem, tests, *optimised.run);
        if (checked)
            judgement.sanitizer = take_in(request, *checked, judgement.tests);
        else if (request.graded)
            judgement.sanitizer.reason = "the compiler has no sanitizers here";
        judgement.diagnosis =
            diagnosis::name_mistakes(request.problem, judgement.tests, optimised.run->events);
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
