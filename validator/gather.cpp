#include "gather.h"

#include "build/compile.h"
#include "build/gpu.h"
#include "build/lines.h"
#include "build/nvcc.h"
#include "build/parameters.h"
#include "build/threads.h"
#include "diagnosis/mistakes.h"
#include "emulator/locations.h"
#include "grading/device.h"
#include "supervisor/driver.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>

namespace judge {
namespace {

using build::VariantTraits;

/// Of all tests together, once a call never ended: the verdict on an endless loop shall not wait for each
/// test.
constexpr std::chrono::milliseconds practice_budget{1900};
constexpr std::chrono::milliseconds graded_budget{4000};

/// The time of all calls of all tests in all builds, as multiples of a worker's: what is slow in every call
/// ends with it. The dearest reference of a worker's 10 s takes 26 s of CPU time in all its processes.
constexpr int practice_total = 2;
constexpr int graded_total = 6;

/// A GPU with less of its own runs the timed cases at the size that they have on the emulator.
constexpr int full_size_memory_mib = 4096;

/// The tests that the mistake fails, of those that are judged. One that nobody has measured may fail any.
events::Suspect suspect(const Request& request, const model::Mistake& mistake) {
    const bool measured = !mistake.always.empty() || !mistake.sometimes.empty();
    const auto names = [](const std::vector<std::string>& list, const std::string& test) {
        return std::ranges::find(list, test) != list.end();
    };
    events::Suspect suspect{mistake.name, {}, {}};
    for (const model::TestSpec& test : select_tests(request)) {
        if (names(mistake.always, test.name) && !names(mistake.checked, test.name))
            suspect.always.push_back(test.name);
        else if (!measured || names(mistake.sometimes, test.name))
            suspect.sometimes.push_back(test.name);
    }
    return suspect;
}

std::vector<events::Suspect> suspects(const Request& request) {
    std::vector<events::Suspect> list;
    for (const model::Mistake& mistake : request.problem.mistakes)
        list.push_back(suspect(request, mistake));
    return list;
}

events::Request driver_request(const build::Workshop& workshop, const Request& request,
                               const VariantTraits& variant, std::vector<std::string> tests) {
    const bool judged = variant.check == model::Check::none;
    events::Request asked;
    asked.timed = request.timed;
    asked.full_size = request.timed && variant.check == model::Check::gpu &&
                      request.gpu->gpu.facts.memory_mib >= full_size_memory_mib;
    asked.seed = request.seed;
    asked.tests = std::move(tests);
    asked.implementation = request.ready.implementation;
    asked.check = variant.check;
    asked.one_worker = variant.one_worker;
    asked.without_large = !judged;
    asked.thorough = request.thorough;
    asked.emulated = build::is_emulated(variant.variant);
    asked.controlled = !judged && !request.timed && variant.check != model::Check::gpu;
    asked.budget = request.graded ? graded_budget : practice_budget;
    asked.limits = build::limits_of(request.problem.limits, variant.variant);
    asked.slowdown = variant.time_factor;
    if (!request.timed)
        asked.total = (request.graded ? graded_total : practice_total) * request.problem.limits.cpu;
    // A kernel that hangs on a GPU says nothing of the next one.
    if (variant.check == model::Check::gpu) asked.budget = std::max(asked.budget, 3 * asked.limits.wall);
    if (variant.check == model::Check::gpu)
        for (const std::filesystem::path& file : build::gpu_files(workshop.layout()))
            asked.gpu_files.push_back(file.string());
    // Practice names mistakes, which a call that ends at a page would hide; a graded run finds such accesses
    // in the checked build too.
    asked.slots = request.graded;
    asked.record = request.recording_fd >= 0;
    if (judged && !asked.record) asked.mistakes = suspects(request);
    return asked;
}

/// What became of the tests, without a word of the submission's.
std::string in_short(const events::DriverRun& run) {
    std::size_t ended = 0;
    std::size_t passed = 0;
    for (const events::Event& event : run.events)
        if (const auto* test = std::get_if<events::CaseEnded>(&event)) {
            ++ended;
            if (test->findings.empty() && !test->skipped) ++passed;
        }
    return fmt::format("driver ends {}: {} events, {} of {} tests passed{}{}",
                       run.complete ? "well" : "too early", run.events.size(), passed, ended,
                       run.trouble.empty() ? "" : "; ", run.trouble);
}

/// Tells whoever waits of each test that ends.
std::function<void(const events::Event&)> counting(const Request& request, const VariantTraits& variant,
                                                   std::size_t tests) {
    if (!request.heard) return {};
    request.heard({variant.check, 0, tests});
    return
        [&request, check = variant.check, tests, ended = std::size_t{0}](const events::Event& event) mutable {
            if (std::holds_alternative<events::CaseEnded>(event)) request.heard({check, ++ended, tests});
        };
}

/// Mistakes are named where their program is given.
events::DriverRun run_driver(const build::Workshop& workshop, const Request& request, const Program& program,
                             events::Request asked, const build::CachedWorker* mistakes = nullptr,
                             std::function<void(const events::Event&)> heard = {}) {
    const bool counted = request.spent != nullptr && asked.total.count() > 0;
    if (!counted) asked.total = {};
    if (mistakes == nullptr) asked.mistakes.clear();
    const model::Isolation& isolation = request.isolation.get();
    workshop.note(fmt::format("driver of {} starts: {} tests, seed {}, isolation {}, {}, {}",
                              request.problem.id, asked.tests.size(), asked.seed, name(isolation.level),
                              asked.one_worker ? "one worker" : "a worker a test",
                              asked.mistakes.empty() ? "no mistakes named" : "mistakes named"));
    events::DriverRun run =
        supervisor::run_driver({.driver = "driver of " + request.problem.id,
                                .driver_fd = request.kit.driver().fd.get(),
                                .mistakes_fd = mistakes == nullptr ? -1 : mistakes->fd.get(),
                                .worker_fd = program.worker().fd.get(),
                                .recording_fd = request.recording_fd,
                                .spent_fd = counted ? request.spent->fd() : -1,
                                .request = std::move(asked),
                                .isolation = isolation.level,
                                .cancel_fd = request.cancel_fd,
                                .patience = {},
                                .heard = std::move(heard)});
    if (run.interrupted) throw Interrupted{};
    workshop.note(in_short(run));
    for (const events::Event& event : run.events)
        if (const auto* probe = std::get_if<events::Probed>(&event))
            workshop.note(fmt::format("probe {}: {} calls, {} failed, {} us", probe->probe, probe->calls,
                                      probe->failed, probe->duration.count()));
    return run;
}

/// Names the lines of a traced program.
void locate(const build::Workshop& workshop, const Request& request, const Program& program,
            grading::Traces& traces) {
    std::vector<std::string> arguments =
        emulator::addr2line_arguments(grading::joined(traces), program.worker().path.string());
    if (arguments.empty()) return;
    arguments.erase(arguments.begin()); // the program's name
    const std::string lines =
        build::name_lines(workshop, program.worker(), std::move(arguments), request.cancel_fd);
    for (auto& [test, trace] : traces)
        emulator::apply_locations(trace, lines);
}

/// Names the arguments past whose end, or before whose beginning, memory was used.
void name_parameters(const Request& request, events::DriverRun& run) {
    for (events::Event& event : run.events)
        if (auto* ended = std::get_if<events::CaseEnded>(&event))
            for (events::Finding& finding : ended->findings)
                if (finding.argument > 0)
                    finding.parameter = build::parameter_name(request.problem.exercise / "contract.h",
                                                              finding.function, finding.argument);
}

/// Names the lines of the submission in which it crashed.
void locate_crashes(const build::Workshop& workshop, const Request& request, const Program& program,
                    events::DriverRun& run) {
    std::map<std::vector<std::uint64_t>, build::SourceLine> known;
    const auto line_of = [&](const std::vector<std::uint64_t>& frames) {
        const auto [at, is_new] = known.try_emplace(frames);
        if (is_new)
            at->second = build::line_of_frames(workshop, program.worker(), frames, request.problem.files,
                                               request.cancel_fd);
        return at->second;
    };
    for (events::Event& event : run.events)
        if (auto* ended = std::get_if<events::CaseEnded>(&event))
            for (events::Finding& finding : ended->findings) {
                const build::SourceLine line = line_of(finding.frames);
                finding.file = line.file;
                finding.line = line.line;
            }
}

/// Makes a program of the submission, or takes the one that is ready.
Program make_program(const build::Workshop& workshop, const Request& request, const VariantTraits& variant) {
    Program program;
    if (request.ready.given()) {
        program.ready = variant.check == model::Check::none ? request.ready.judged : request.ready.checked;
        program.seen.build.ok = program.seen.build.cached = true;
        return program;
    }
    const build::CallTable table =
        build::is_for_gpu(variant.variant) ? request.kit.table_for(request.gpu->gpu) : request.kit.table();
    build::Built built = build::build_worker(workshop, request.problem, table, request.submission,
                                             variant.variant, request.cancel_fd);
    if (built.interrupted) throw Interrupted{};
    request.kit.require_contract(); // else it is nothing that the submission is to blame for
    program.built = std::move(built.worker);
    program.seen.build = std::move(built);
    return program;
}

} // namespace

std::vector<model::TestSpec> select_tests(const Request& request) {
    std::vector<model::TestSpec> selected;
    for (const model::TestSpec& test : request.problem.tests)
        if ((request.graded || test.visibility == model::Visibility::visible) &&
            (request.tests.empty() || std::ranges::find(request.tests, test.name) != request.tests.end()))
            selected.push_back(test);
    return selected;
}

Program gather(const build::Workshop& workshop, const Request& request,
               const std::vector<model::TestSpec>& tests, const VariantTraits& variant) {
    Program program = make_program(workshop, request, variant);
    if (!program.seen.build.ok) return program;
    std::vector<std::string> names;
    names.reserve(tests.size());
    for (const model::TestSpec& test : tests)
        names.push_back(test.name);
    request.isolation.wait();
    request.kit.driver();
    const bool naming = request.named && variant.check == model::Check::none;
    const build::CachedWorker* mistakes = naming ? request.kit.mistakes_if_made() : nullptr;
    program.named = mistakes != nullptr;
    const auto start = std::chrono::steady_clock::now();
    events::Request asked = driver_request(workshop, request, variant, std::move(names));
    asked.threaded = variant.check == model::Check::none && build::starts_threads(program.worker());
    program.seen.run = run_driver(workshop, request, program, std::move(asked), mistakes,
                                  counting(request, variant, tests.size()));
    program.seen.time =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
    if (variant.check == model::Check::none) locate_crashes(workshop, request, program, *program.seen.run);
    name_parameters(request, *program.seen.run);
    program.seen.traces = grading::read_traces(*program.seen.run);
    if (variant.check == model::Check::trace) locate(workshop, request, program, program.seen.traces);
    return program;
}

std::optional<model::CompileResult> ask_nvcc(const build::Workshop& workshop, const Request& request) {
    build::NvccOpinion opinion =
        build::ask_nvcc(workshop, request.problem, request.submission, request.cancel_fd);
    if (!opinion.ran) return std::nullopt;
    return model::CompileResult{opinion.ok, std::move(opinion.diagnostics)};
}

std::optional<events::DriverRun> run_for_naming(const build::Workshop& workshop, const Request& request,
                                                const VariantTraits& variant, const Program& program) {
    if (!request.named || program.named || !program.seen.run || !program.seen.run->complete)
        return std::nullopt;
    std::vector<std::string> tests = diagnosis::recognisable(program.seen.run->events);
    if (tests.empty() || request.problem.mistakes.empty()) return std::nullopt;
    try {
        return run_driver(workshop, request, program,
                          driver_request(workshop, request, variant, std::move(tests)),
                          &request.kit.mistakes());
    } catch (const model::ContentError& error) { // costs the name, but no verdict
        workshop.warn(error.what());
        return std::nullopt;
    }
}

events::DriverRun run_alone(const build::Workshop& workshop, const Request& request,
                            const VariantTraits& variant, const Program& program,
                            std::vector<std::string> tests) {
    events::Request asked = driver_request(workshop, request, variant, std::move(tests));
    asked.one_worker = false;
    return run_driver(workshop, request, program, std::move(asked));
}

events::DriverRun run_launched(const build::Workshop& workshop, const Request& request,
                               const Program& program, std::vector<std::string> tests,
                               const model::Launcher& launcher, bool one_worker) {
    // Kernels are instrumented, and run ten to a hundred times as long.
    constexpr int slowdown = 20;
    events::Request asked =
        driver_request(workshop, request, build::traits(build::Variant::on_gpu), std::move(tests));
    asked.one_worker = one_worker;
    asked.launcher = launcher;
    asked.limits.wall *= slowdown;
    asked.limits.cpu *= slowdown;
    asked.budget = asked.limits.wall;
    asked.total = {}; // kernels wait for the tool most of their time
    return run_driver(workshop, request, program, std::move(asked));
}

} // namespace judge
