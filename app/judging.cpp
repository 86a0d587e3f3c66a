#include "app/judging.h"

#include "app/device.h"
#include "app/interrupts.h"
#include "app/isolation_floor.h"
#include "app/justifying.h"
#include "app/log.h"
#include "app/observation.h"
#include "app/progress_of_judging.h"
#include "app/report_files.h"
#include "app/stdout.h"
#include "app/submission.h"
#include "app/voice.h"
#include "build/workshop.h"
#include "collections/hash.h"
#include "collections/unused.h"
#include "grading/judge.h"
#include "isolation/observe.h"
#include "judge.h"
#include "model/errors.h"
#include "questions/standing.h"
#include "report/console.h"
#include "report/details.h"
#include "report/formats.h"
#include "report/words.h"
#include "terminal/progress.h"

#include <ctime>
#include <exception>
#include <fmt/format.h>
#include <future>
#include <iostream>
#include <sys/random.h>
#include <tuple>
#include <utility>

namespace app {
namespace {

/// What commands that judge differ in.
struct Manner {
    bool graded = false;
    bool measured = false;                        ///< how fast the submission is, as well
    Rendering rendering = report::render_console; ///< for the terminal
    const std::vector<report::Format>& formats = report::formats();

    std::string render(const model::Judgement& judgement, std::string_view format) const {
        return std::ranges::find(formats, format, &report::Format::name)->render(judgement);
    }
};

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

/// Beside a GPU's driver a worker is less confined than any level says, so who requires one gets the
/// emulator.
std::optional<judge::OnGpu> find_gpu(const Context& context, const build::Workshop& workshop,
                                     const model::Problem& problem, const Manner& manner, int cancel_fd) {
    const model::Device device = context.options().device;
    if (!wants_gpu(device, problem, manner.graded || manner.measured)) return std::nullopt;
    if (context.options().require_isolation) {
        if (device != model::Device::cuda) return std::nullopt;
        throw model::EnvironmentError(
            "not judged: an isolation level is required, and a worker with a GPU's driver "
            "has none of A to D; say --device emulated");
    }
    const auto there = build::find_gpu(workshop, cancel_fd);
    if (const auto* why = std::get_if<std::string>(&there)) log::debug("no GPU is used: " + *why);
    std::optional<build::Gpu> gpu = choose_gpu(device, there);
    if (!gpu) return std::nullopt;
    judge::OnGpu found{std::move(*gpu), isolation::observe_with_gpu(context.layout().canary,
                                                                    build::gpu_files(workshop.layout()))};
    if (manner.graded) found.sanitizer = usable_sanitizer(workshop);
    return found;
}

model::Judgement judge_submission(Context& context, const model::Problem& problem,
                                  std::variant<model::Submission, Unreadable> read, const Manner& manner,
                                  int cancel_fd) {
    const bool graded = manner.graded;
    // Anew wherever something hangs on it.
    const bool anew = graded || context.options().require_isolation;
    const auto observe = [&] {
        const std::filesystem::path& canary = context.layout().canary;
        model::Isolation observed =
            anew ? isolation::observe(canary)
                 : observe_or_remember(canary, build::default_cache_folder() / "isolation.json");
        log::debug(fmt::format("isolation {}: {}", name(observed.level), fmt::join(observed.observed, ", ")));
        require_isolation(context, graded ? weakest_for_grading : model::IsolationLevel::E, observed);
        return observed;
    };
    if (const auto* unreadable = std::get_if<Unreadable>(&read)) {
        model::Judgement judgement = grading::unreadable(problem,
                                                         {.shown_as = unreadable->shown_as,
                                                          .files = {},
                                                          .from = context.options().from,
                                                          .call = context.call()()},
                                                         graded, unreadable->why);
        judgement.isolation = observe();
        return judgement;
    }

    // Found out while the compiler works.
    const std::shared_future<model::Isolation> isolation = std::async(std::launch::async, observe);
    terminal::Progress progress(std::cerr, context.err().is_terminal, context.err().columns);
    const build::Workshop workshop(context.building_layout(), voice_of(context, progress));
    const kit::Kits kits(workshop);
    const kit::Kit kit(kits, problem, cancel_fd);
    const std::optional<judge::OnGpu> gpu = find_gpu(context, workshop, problem, manner, cancel_fd);
    auto& submission = std::get<model::Submission>(read);
    const std::string hash = hash_of(submission);
    judge::Request request{problem,
                           kit,
                           std::move(submission),
                           graded,
                           context.options().seed.value_or(fresh_seed()),
                           isolation,
                           cancel_fd,
                           {},
                           {},
                           gpu ? &*gpu : nullptr};
    request.thorough = graded && context.options().thorough;
    std::optional<ProgressOfJudging> how_far;
    if (context.err().is_terminal && !context.err().plain) {
        how_far.emplace(workshop, context.err().unicode);
        request.heard = [&](const judge::Heard& heard) { how_far->heard(heard); };
    }
    model::Judgement judgement = judge::judge(workshop, request);
    if (manner.measured && judgement.compile.ok) judgement.measured = judge::measure(workshop, request);
    judgement.submission_hash = hash;
    return judgement;
}

/// What a learner hands in is no source of content: it is judged, and judges nothing.
void name_unused_content(const Context& context) {
    const auto& workspace = context.workspace();
    for (const std::filesystem::path& folder : collections::unused_content(
             context.content(), workspace ? *workspace : std::filesystem::path(), context.options().from))
        context.warn(folder.string() + " is not used: problems come from the engine, your configuration, "
                                       "ENGINE_CONTENT and --content alone");
}

/// Keeps the attempt. Whatever goes wrong here costs a warning, not the verdict.
void record(Context& context, const model::Problem& problem, model::Judgement& judgement,
            std::string_view command) {
    try {
        store::Store* store = context.progress();
        if (store == nullptr) return;
        judgement.attempt = store->record(judgement, command);
        if (judgement.graded && judgement.verdict == model::Verdict::accepted) context.select(problem.id);
        if (const auto attempt = store->last_justified(problem.id))
            judgement.justification =
                questions::justification(problem.questions, store->justification(problem.id, *attempt));
    } catch (const std::exception& error) {
        context.warn(std::string("this attempt was not kept: ") + error.what());
    }
}

/// How far an acceptance has brought the learner; nothing where no progress is kept.
std::optional<report::Course> course_of(const Context& context, const model::Judgement& judgement) {
    const bool kept = judgement.attempt != 0; // and so there is a progress that can be read
    if (!kept || !judgement.graded || judgement.verdict != model::Verdict::accepted) return std::nullopt;
    report::Course course;
    const auto next = context.next_open(judgement.problem_id);
    for (const model::Problem& problem : context.curriculum().problems) {
        ++course.problems;
        if (context.is_accepted(problem.id)) ++course.accepted;
        if (next == problem.id) course.next = problem.title + " (" + problem.id + ")";
    }
    return course;
}

/// Opens the progress before the slow work: a damaged database is worth knowing now. One that another program
/// holds may be free again when it is needed.
void look_at_progress(const Context& context) {
    try {
        context.progress();
    } catch (const store::Held&) {
        return;
    }
}

/// Attempts tell how a learner came along, and open the solution: only their own work counts as one.
bool is_kept(const Context& context, std::string_view command) {
    if (command.empty()) return false;
    if (context.options().record || is_own_work(context)) return true;
    if (context.workspace())
        context.warn(context.options().from +
                     " is not among your exercises, so this run is not recorded; --record keeps it");
    return false;
}

/// What a run reads, and no report may replace.
std::vector<std::filesystem::path> inputs(const Context& context, const std::vector<SourcePlace>& places) {
    std::vector<std::filesystem::path> files(places.size());
    std::ranges::transform(places, files.begin(),
                           [](const SourcePlace& place) { return place.folder / place.name; });
    if (context.workspace()) files.push_back(*context.workspace() / ".engine" / "progress.db");
    return files;
}

void print(const Context& context, const model::Judgement& judgement, const std::string& format,
           const Manner& manner) {
    if (!format.empty()) {
        std::cout << manner.render(judgement, format);
    } else {
        const terminal::Capabilities& out = context.out();
        std::cout << manner.rendering(judgement, {.colour = out.colour,
                                                  .width = out.width,
                                                  .verbose = context.options().verbose,
                                                  .timings = context.options().timings,
                                                  .unicode = out.unicode,
                                                  .plain = out.plain,
                                                  .verdict_last = out.is_terminal,
                                                  .course = course_of(context, judgement)});
    }
    flush_stdout();
}

/// The verdict is seen even where a report cannot be written: then that is said afterwards.
void deliver(const Context& context, const model::Judgement& judgement, ReportFiles& files,
             const Manner& manner) {
    std::exception_ptr unwritten;
    try {
        files.write([&](std::string_view format) { return manner.render(judgement, format); });
    } catch (const model::EnvironmentError&) {
        unwritten = std::current_exception();
    }
    print(context, judgement, files.on_stdout(), manner);
    if (unwritten) std::rethrow_exception(unwritten);
}

/// `command` is what an attempt is kept under; none is where it is empty.
ExitCode run(Context& context, const Manner& manner, std::string_view command, const Finish& finish = {}) {
    const model::Problem problem = context.problem();
    wants_gpu(context.options().device, problem, manner.graded);
    name_unused_content(context);
    const std::vector<SourcePlace> places = submission_places(context, problem);
    auto read = read_present(context, problem, places);
    ReportFiles files(context.options().reports, inputs(context, places), "console");
    const Interrupts interrupts;
    const bool kept = is_kept(context, command);
    if (kept) look_at_progress(context);

    const std::string started = utc_now();
    auto digests = std::async(std::launch::async, [content = context.content_of(problem), id = problem.id] {
        return std::pair(collections::hash_of(content), collections::version_of(content, id));
    });
    model::Judgement judgement = judge_submission(context, problem, std::move(read), manner, interrupts.fd());
    judgement.started = started;
    judgement.engine_version = context.layout().full_version();
    std::tie(judgement.collection.hash, judgement.problem_version) = digests.get();
    judgement.collection.title = problem.collection;
    log::info(fmt::format("{}, {}, seed {}: {}, {} of {} points", problem.id, report::thoroughness(judgement),
                          judgement.seed, model::name(judgement.verdict), judgement.points,
                          judgement.max_points));
    if (kept) record(context, problem, judgement, command);
    if (finish) finish(context, judgement);
    deliver(context, judgement, files, manner);
    if (!judgement.questions.empty() && files.on_stdout().empty() && may_ask(context))
        offer_questions(context, judgement, interrupts.fd());

    const bool mismeasured =
        judgement.measured &&
        !std::ranges::all_of(judgement.measured->calls, &std::string::empty, &model::MeasuredCall::trouble);
    ExitCode code = exit_code(judgement.verdict);
    if (code == ExitCode::accepted && mismeasured) code = ExitCode::not_accepted;
    return context.options().exit_zero && code == ExitCode::not_accepted ? ExitCode::accepted : code;
}

} // namespace

std::uint64_t fresh_seed() {
    std::uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        seed = static_cast<std::uint64_t>(std::time(nullptr));
    return seed >> 16; // short enough to type, and exact as a JSON number everywhere
}

ExitCode judge_and_report(Context& context, bool graded, std::string_view command, const Finish& finish) {
    return run(context, {.graded = graded}, command, finish);
}

ExitCode measure_and_show(Context& context, Rendering rendering, const std::vector<report::Format>& formats) {
    return run(context, {.measured = true, .rendering = rendering, .formats = formats}, "");
}

} // namespace app
